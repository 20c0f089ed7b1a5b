//! The command line of the browser.

use std::path::Path;

use super::{Executable, LaunchOptions, Reach};

/// What every browser gets: nothing that talks to a network, asks a person or makes a run differ from the next.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--enable-automation",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
    // Restored documents would come back with worlds, timers and input state of their own past.
    "--disable-back-forward-cache",
    // A page that is not in front must run like one that is.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
];

const HEADLESS: &[&str] = &[
    "--hide-scrollbars",
    "--mute-audio",
    "--font-render-hinting=none",
    // Without a mouse on the machine pages would be told that nothing can hover.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

/// Features that phone home, show bubbles, or replace a page behind our back.
const DISABLED_FEATURES: &[&str] = &[
    "AcceptCHFrame",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "InterestFeedContentSuggestions",
    "LensOverlay",
    "MediaRouter",
    "OptimizationGuideModelDownloading",
    "OptimizationHints",
    "PaintHolding",
    "Prerender2",
    "Translate",
];

/// A document that a page had fetched ahead, by rules of its own, is shown without a request that could wait for us. None
/// is fetched ahead as long as none may be on its way.
const ENABLED_FEATURES: &[&str] =
    &["PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0"];

/// Calls between browsers go through the proxy, or not at all. A whole Chromium knows the one flag, the shell the other.
const PROXIED: &[&str] = &[
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];
/// No name is looked up either: a proxy does that.
const NO_NAMES: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

const DISABLE_FEATURES: &str = "--disable-features=";
const ENABLE_FEATURES: &str = "--enable-features=";

/// The smallest /dev/shm Chromium works well with.
const ROOMY_SHARED_MEMORY: u64 = 512 << 20;

/// The whole command line, without the program.
pub(super) fn flags(
    options: &LaunchOptions,
    executable: &Executable,
    profile: &Path,
    sandbox: bool,
) -> Vec<String> {
    let mut flags: Vec<String> = ALWAYS.iter().map(|&flag| flag.to_owned()).collect();
    flags.push(features(DISABLE_FEATURES, DISABLED_FEATURES, &options.extra_args));
    flags.push(features(ENABLE_FEATURES, ENABLED_FEATURES, &options.extra_args));
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--window-size={},{}", options.viewport.width, options.viewport.height));
    if !options.headed {
        flags.push(if executable.headless_shell { "--headless" } else { "--headless=new" }.to_owned());
        flags.extend(HEADLESS.iter().map(|&flag| flag.to_owned()));
    }
    if !sandbox {
        flags.push("--no-sandbox".to_owned());
    }
    if let Some(proxy) = &options.proxy {
        flags.push(format!("--proxy-server={}", proxy.server));
        flags.extend(proxy.bypass.as_ref().map(|bypass| format!("--proxy-bypass-list={bypass}")));
    }
    if options.reach != Reach::Open {
        flags.extend(PROXIED.iter().map(|&flag| flag.to_owned()));
        let proxy = options.proxy.as_ref().filter(|_| options.reach == Reach::Proxied);
        let but: String =
            proxy.iter().flat_map(|proxy| proxy.hosts()).map(|host| format!(", EXCLUDE {host}")).collect();
        flags.push(format!("{NO_NAMES}{but}"));
    }
    flags.extend(options.locale.as_ref().map(|locale| format!("--lang={locale}")));
    if shared_memory_is_small() {
        flags.push("--disable-dev-shm-usage".to_owned());
    }
    let is_ours = |flag: &str| flag.starts_with(DISABLE_FEATURES) || flag.starts_with(ENABLE_FEATURES);
    flags.extend(options.extra_args.iter().filter(|flag| !is_ours(flag)).cloned());
    flags
}

/// The browser honours the last such flag only, so the caller's features go into ours.
fn features(flag: &str, ours: &[&str], extra: &[String]) -> String {
    let more = extra.iter().filter_map(|extra| extra.strip_prefix(flag));
    let all: Vec<&str> = ours.iter().copied().chain(more).collect();
    format!("{flag}{}", all.join(","))
}

fn shared_memory_is_small() -> bool {
    rustix::fs::statvfs("/dev/shm")
        .is_ok_and(|memory| memory.f_blocks.saturating_mul(memory.f_frsize) < ROOMY_SHARED_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(options: &LaunchOptions, headless_shell: bool, sandbox: bool) -> Vec<String> {
        let executable = Executable { path: "/chromium".into(), headless_shell };
        flags(options, &executable, Path::new("/profile"), sandbox)
    }

    #[test]
    fn each_kind_of_chromium_gets_its_own_headless_flag() {
        let options = LaunchOptions::default();
        assert!(line(&options, true, true).contains(&"--headless".to_owned()));
        assert!(line(&options, false, true).contains(&"--headless=new".to_owned()));
        let headed = LaunchOptions { headed: true, ..options };
        assert!(!line(&headed, false, true).iter().any(|flag| flag.starts_with("--headless")));
    }

    #[test]
    fn the_features_of_the_caller_are_added_to_ours() {
        let extra_args = ["--disable-features=Mine", "--enable-features=Yours", "--site-per-process"];
        let extra_args = extra_args.map(str::to_owned).to_vec();
        let flags = line(&LaunchOptions { extra_args, ..LaunchOptions::default() }, true, true);
        for (flag, ours, theirs) in [
            (DISABLE_FEATURES, "Translate", ",Mine"),
            (ENABLE_FEATURES, "PrefetchMultipleActiveSetSizeLimitForBase", ",Yours"),
        ] {
            let found: Vec<_> = flags.iter().filter(|found| found.starts_with(flag)).collect();
            assert_eq!(found.len(), 1);
            assert!(found[0].contains(ours) && found[0].ends_with(theirs), "{found:?}");
        }
        assert_eq!(flags.last().unwrap(), "--site-per-process");
    }

    #[test]
    fn the_proxy_of_the_launch_is_on_the_command_line() {
        let proxy = |bypass: Option<&str>| crate::Proxy {
            server: "http://proxy.test:8080".to_owned(),
            bypass: bypass.map(str::to_owned),
        };
        let of = |proxy| line(&LaunchOptions { proxy, ..LaunchOptions::default() }, true, true);
        let about_proxies = |flags: Vec<String>| {
            flags.into_iter().filter(|flag| flag.starts_with("--proxy")).collect::<Vec<_>>()
        };
        assert_eq!(about_proxies(of(None)), Vec::<String>::new());
        assert_eq!(about_proxies(of(Some(proxy(None)))), ["--proxy-server=http://proxy.test:8080"]);
        assert_eq!(
            about_proxies(of(Some(proxy(Some("*.local"))))),
            ["--proxy-server=http://proxy.test:8080", "--proxy-bypass-list=*.local"]
        );
    }

    #[test]
    fn a_browser_that_reaches_less_far_looks_up_no_name_but_that_of_its_proxy() {
        let proxy = Some(crate::Proxy { server: "http://proxy.test:8080".to_owned(), bypass: None });
        let of = |reach, proxy| {
            let options = LaunchOptions { reach, proxy, ..LaunchOptions::default() };
            let rules = line(&options, true, true).into_iter();
            rules.filter(|flag| flag.starts_with("--host-resolver-rules")).collect::<Vec<_>>()
        };
        assert_eq!(of(Reach::Open, proxy.clone()), Vec::<String>::new());
        assert_eq!(of(Reach::Proxied, None), [NO_NAMES]);
        assert_eq!(of(Reach::Proxied, proxy.clone()), [format!("{NO_NAMES}, EXCLUDE proxy.test")]);
        assert_eq!(of(Reach::Nowhere, proxy), [NO_NAMES]);
    }

    #[test]
    fn the_sandbox_is_only_switched_off_on_demand() {
        let options = LaunchOptions::default();
        assert!(!line(&options, true, true).contains(&"--no-sandbox".to_owned()));
        assert!(line(&options, true, false).contains(&"--no-sandbox".to_owned()));
    }
}
