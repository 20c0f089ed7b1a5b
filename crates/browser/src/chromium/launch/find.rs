//! Finds the executable of the browser.

use std::path::{Path, PathBuf};

use crate::Error;

/// An executable, and which of the two kinds of Chromium it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// Its path.
    pub path: PathBuf,
    /// Whether it is the headless shell, which has no windows and starts much faster.
    pub headless_shell: bool,
}

impl Executable {
    fn at(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let headless_shell = name.contains("headless-shell") || name.contains("headless_shell");
        Self { path, headless_shell }
    }
}

/// The paths where distributions and vendors install the executables. Names on `PATH` are tried last: they are often
/// shell wrappers that start slower and add their own flags.
const HEADLESS_SHELLS: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/usr/lib/chromium-browser/headless_shell",
    "/headless-shell/headless-shell",
];
const BROWSERS: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/usr/lib/chromium-browser/chromium-browser",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/opt/google/chrome/chrome",
    "/opt/google/chrome-beta/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const HEADLESS_SHELL_NAMES: &[&str] = &["chromium-headless-shell", "headless-shell", "headless_shell"];
const BROWSER_NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Finds the browser: the explicit path, else `ACTIONS_BROWSER`, else the known paths and `PATH`.
///
/// Prefers the headless shell unless `headed` is true.
pub fn find(explicit: Option<&Path>, headed: bool) -> Result<Executable, Error> {
    let named = std::env::var_os("ACTIONS_BROWSER").filter(|value| !value.is_empty()).map(PathBuf::from);
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&search_path).collect();
    find_among(explicit.map(Path::to_path_buf).or(named), headed, &folders, is_program)
}

fn find_among(
    named: Option<PathBuf>,
    headed: bool,
    folders: &[PathBuf],
    is_program: impl Fn(&Path) -> bool,
) -> Result<Executable, Error> {
    let looked: Vec<PathBuf> = match named {
        Some(path) => vec![path],
        None => places(headed, folders),
    };
    match looked.iter().find(|path| is_program(path)) {
        Some(path) => Ok(Executable::at(path.clone())),
        None => Err(Error::BrowserNotFound { looked, hint: install_hint(headed) }),
    }
}

fn places(headed: bool, folders: &[PathBuf]) -> Vec<PathBuf> {
    let on_path = |names: &'static [&'static str]| {
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
    };
    let fixed = |places: &'static [&'static str]| places.iter().map(PathBuf::from);
    let mut all: Vec<PathBuf> = Vec::new();
    if !headed {
        all.extend(fixed(HEADLESS_SHELLS));
        all.extend(on_path(HEADLESS_SHELL_NAMES));
    }
    all.extend(fixed(BROWSERS));
    all.extend(on_path(BROWSER_NAMES));
    all
}

fn install_hint(headed: bool) -> String {
    let package = if headed { "chromium" } else { "chromium-headless-shell" };
    let command = if cfg!(target_os = "macos") {
        "brew install --cask chromium".to_owned()
    } else if Path::new("/usr/bin/dnf").exists() {
        "dnf install chromium".to_owned()
    } else if Path::new("/usr/bin/pacman").exists() {
        "pacman -S chromium".to_owned()
    } else {
        format!("apt-get install {package}")
    };
    format!("install it with `{command}`, or name a browser with `--browser PATH` or ACTIONS_BROWSER")
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(named: Option<&str>, headed: bool, present: &[&str]) -> Option<Executable> {
        let present: Vec<PathBuf> = present.iter().map(PathBuf::from).collect();
        let folders = [PathBuf::from("/usr/bin")];
        find_among(named.map(PathBuf::from), headed, &folders, |path| present.iter().any(|one| one == path))
            .ok()
    }

    #[test]
    fn the_headless_shell_is_preferred_and_the_executable_before_its_wrapper() {
        let all = [
            "/usr/bin/chromium",
            "/usr/bin/chromium-headless-shell",
            "/usr/lib/chromium/chromium",
            "/usr/lib/chromium/chromium-headless-shell",
        ];
        let shell = found(None, false, &all).unwrap();
        assert_eq!(shell.path, Path::new("/usr/lib/chromium/chromium-headless-shell"));
        assert!(shell.headless_shell);
        let headed = found(None, true, &all).unwrap();
        assert_eq!(headed.path, Path::new("/usr/lib/chromium/chromium"));
        assert!(!headed.headless_shell);
    }

    #[test]
    fn only_the_named_browser_is_searched() {
        let error = find_among(Some("/no/such".into()), false, &[], |path| path != Path::new("/no/such"))
            .unwrap_err();
        let Error::BrowserNotFound { looked, hint } = error else { panic!("{error}") };
        assert_eq!(looked, [PathBuf::from("/no/such")]);
        assert!(hint.contains("ACTIONS_BROWSER"), "{hint}");
    }

    #[test]
    fn the_error_lists_the_names_that_were_searched() {
        let sentence = |named: Option<&str>| {
            let folders = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
            find_among(named.map(PathBuf::from), true, &folders, |_| false).unwrap_err().to_string()
        };
        assert!(sentence(Some("/no/such")).starts_with("there is no browser at /no/such; install it with "));
        let looked = "no Chromium found: there is no chromium, chromium-browser, Chromium, chrome, Google Chrome, \
                      google-chrome, google-chrome-stable in the usual places or on PATH; ";
        assert!(sentence(None).starts_with(looked), "{}", sentence(None));
    }

    #[test]
    fn chrome_is_used_when_no_chromium_is_installed() {
        let chrome = found(None, false, &["/usr/bin/google-chrome"]).unwrap();
        assert_eq!(chrome.path, Path::new("/usr/bin/google-chrome"));
    }
}
