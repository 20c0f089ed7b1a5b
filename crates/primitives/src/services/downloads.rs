//! The downloads of a session: which of them a call has returned, and how their files are saved for the caller.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use actions_browser::Download;
use data_encoding::HEXLOWER;
use rustix::fs::{Mode, OFlags, open};
use sha2::{Digest, Sha256};

/// How many names are tried for a file whose name is taken.
const MOST_NAMES: usize = 1_000;
/// How long a name may be, in bytes. File systems take 255, and a number may be added.
const LONGEST_NAME: usize = 200;
/// How many returned downloads are remembered.
const RETURNED_KEPT: usize = 1_000;

/// The downloads of a session that calls have returned.
#[derive(Debug, Default)]
pub struct Downloads {
    returned: Mutex<BTreeSet<String>>,
}

/// A download that was saved.
#[derive(Debug)]
pub(crate) struct Saved {
    /// The name of the file in the folder.
    pub(crate) name: String,
    pub(crate) size_bytes: u64,
    /// The digest of its content, in hexadecimal digits.
    pub(crate) sha256: String,
}

/// Why a download was not saved.
#[derive(Debug)]
pub(crate) enum Unsaved {
    /// It has more bytes than allowed.
    TooLarge,
    /// Its file cannot be read.
    Unreadable(io::Error),
    /// Its copy cannot be written.
    Unwritable(io::Error),
}

impl Downloads {
    /// Whether no call has returned a download yet.
    pub(crate) fn is_new(&self, download: &Download) -> bool {
        !self.returned.lock().unwrap_or_else(PoisonError::into_inner).contains(&download.id)
    }

    /// Notes that a call returns a download.
    pub(crate) fn take(&self, download: &Download) {
        let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
        if returned.len() == RETURNED_KEPT {
            returned.pop_first();
        }
        returned.insert(download.id.clone());
    }
}

/// Copies the file of a download into a folder: whole or not at all, for its owner alone, and never over another file or
/// through a link. A name that is taken gets a number.
pub(crate) fn save(file: &Path, suggested: &str, folder: &Path, max_bytes: u64) -> Result<Saved, Unsaved> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = open(file, flags, Mode::empty()).map_err(|error| Unsaved::Unreadable(error.into()))?;
    let mut source = File::from(opened);
    if !source.metadata().map_err(Unsaved::Unreadable)?.is_file() {
        return Err(Unsaved::Unreadable(io::Error::other("it is no regular file")));
    }
    // Only the owner can read the file, and it has no name of the page's choosing before it is complete.
    let mut draft = tempfile::Builder::new()
        .prefix(".actions-download-")
        .tempfile_in(folder)
        .map_err(Unsaved::Unwritable)?;
    let (mut digest, mut size_bytes) = (Sha256::new(), 0);
    let mut part = vec![0; 64 << 10];
    loop {
        let read = source.read(&mut part).map_err(Unsaved::Unreadable)?;
        if read == 0 {
            break;
        }
        size_bytes += read as u64;
        if size_bytes > max_bytes {
            return Err(Unsaved::TooLarge);
        }
        digest.update(&part[..read]);
        draft.write_all(&part[..read]).map_err(Unsaved::Unwritable)?;
    }
    draft.as_file().sync_all().map_err(Unsaved::Unwritable)?;
    let name = safe_name(suggested);
    for number in 1..=MOST_NAMES {
        let name = numbered(&name, number);
        match draft.persist_noclobber(folder.join(&name)) {
            Ok(_) => return Ok(Saved { name, size_bytes, sha256: HEXLOWER.encode(&digest.finalize()) }),
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => draft = refused.file,
            Err(refused) => return Err(Unsaved::Unwritable(refused.error)),
        }
    }
    Err(Unsaved::Unwritable(io::Error::other(format!("{MOST_NAMES} files are called `{name}`"))))
}

/// The name of a file as a page suggests it, without what could lead to another folder, hide the file or its type, or mean a
/// device.
fn safe_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last.chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    let clean = clean.trim_matches(|c: char| c == '.' || c.is_whitespace());
    let (stem, extension) = split(clean);
    let extension = if extension.len() > 20 { "" } else { extension };
    let stem = cut(stem, LONGEST_NAME - extension.len());
    let device = ["con", "prn", "aux", "nul"].contains(&stem.to_ascii_lowercase().as_str())
        || (stem.len() == 4 && ["com", "lpt"].iter().any(|port| stem.to_ascii_lowercase().starts_with(port)));
    match (stem.is_empty(), device) {
        (true, _) => format!("download{extension}"),
        (_, true) => format!("_{stem}{extension}"),
        _ => format!("{stem}{extension}"),
    }
}

/// Whether a character is no part of a plain name: it is not shown, changes the direction of the text, or has a meaning to a
/// shell or a file system.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '$' | '`')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The stem of a name, and its extension with the dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

fn numbered(name: &str, number: usize) -> String {
    let (stem, extension) = split(name);
    match number {
        1 => name.to_owned(),
        number => format!("{stem} ({number}){extension}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn the_name_of_a_page_stays_within_the_folder() {
        for (suggested, name) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\boot.ini", "boot.ini"),
            ("..", "download"),
            ("", "download"),
            (".bashrc", "bashrc"),
            ("a\u{0}b\n.txt", "a_b_.txt"),
            ("invoice\u{202e}fdp.exe", "invoice_fdp.exe"),
            ("con.txt", "_con.txt"),
            ("COM1", "_COM1"),
            ("a<b>:c|d?.csv", "a_b__c_d_.csv"),
            ("  spaced .txt. ", "spaced .txt"),
        ] {
            assert_eq!(safe_name(suggested), name, "{suggested:?}");
        }
        let long = safe_name(&format!("{}.pdf", "ü".repeat(400)));
        assert!(long.len() <= LONGEST_NAME && long.ends_with("ü.pdf"), "{long}");
    }

    #[test]
    fn a_file_is_saved_whole_for_its_owner_and_beside_what_is_there() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("guid");
        fs::write(&file, "content").unwrap();
        fs::write(to.path().join("secret"), "kept").unwrap();
        symlink(to.path().join("secret"), to.path().join("a.txt")).unwrap();
        let saved = save(&file, "a.txt", to.path(), 100).unwrap();
        assert_eq!((saved.name.as_str(), saved.size_bytes), ("a (2).txt", 7));
        assert_eq!(saved.sha256, "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
        let mode = fs::metadata(to.path().join("a (2).txt")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_to_string(to.path().join("secret")).unwrap(), "kept");
    }

    #[test]
    fn nothing_is_left_of_a_file_that_is_too_large_or_a_link() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("guid");
        fs::write(&file, "content").unwrap();
        symlink(&file, from.path().join("link")).unwrap();
        assert!(matches!(save(&file, "a", to.path(), 6), Err(Unsaved::TooLarge)));
        let through = save(&from.path().join("link"), "a", to.path(), 100);
        assert!(matches!(through, Err(Unsaved::Unreadable(_))), "{through:?}");
        assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
    }
}
