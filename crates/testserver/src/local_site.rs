//! An example site on this machine, with its maps.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::TestServer;

/// An example site on this machine: its pages are served from `fixtures/sites/HOST`, and its maps are those of
/// `sites/HOST` with the address of the server where the address of the site stood.
pub struct LocalSite {
    server: TestServer,
    origin: String,
    maps: PathBuf,
    _folder: tempfile::TempDir,
}

impl LocalSite {
    /// Serves a site of the repository at `root`.
    pub async fn serve(root: &Path, host: &str) -> io::Result<Self> {
        let server = TestServer::serving(root.join("fixtures/sites").join(host)).await?;
        let folder = tempfile::tempdir()?;
        let origin = format!("https://{host}");
        // The layout of a storage root: a map may import other maps of it.
        let maps = folder.path().join("sites").join(host);
        copy(&root.join("sites").join(host), &maps, &origin, &server.origin())?;
        Ok(Self { server, origin, maps, _folder: folder })
    }

    /// The server.
    pub fn server(&self) -> &TestServer {
        &self.server
    }

    /// The origin of the real site, such as `https://example.com`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The map of a surface, by its folder below `sites/HOST`; empty when the site has only one.
    pub fn map(&self, surface: &str) -> PathBuf {
        self.maps.join(surface).join("actions.json")
    }
}

/// Copies the files of a folder; maps get another origin.
fn copy(from: &Path, to: &Path, origin: &str, here: &str) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        let copied = to.join(name);
        if path.is_dir() {
            copy(&path, &copied, origin, here)?;
        } else if name == "actions.json" {
            fs::write(copied, fs::read_to_string(&path)?.replace(origin, here))?;
        } else {
            fs::copy(&path, copied)?;
        }
    }
    Ok(())
}
