//! The shop of the benchmark, served on this machine, with its map.

use std::path::PathBuf;

use actions_testserver::TestServer;

use crate::root;

/// The shop and its map.
pub(super) struct Prints {
    pub(super) server: TestServer,
    folder: tempfile::TempDir,
}

impl Prints {
    pub(super) async fn serve() -> Self {
        let server = TestServer::serving(root().join("bench/mcp/pages")).await.expect("a server");
        let folder = tempfile::tempdir().expect("a folder");
        let map = std::fs::read_to_string(root().join("bench/mcp/actions.json")).expect("a map");
        let map = map.replace("https://prints.example", &server.origin());
        std::fs::write(folder.path().join("actions.json"), map).expect("a map");
        Self { server, folder }
    }

    pub(super) fn map(&self) -> String {
        self.path().display().to_string()
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("actions.json")
    }
}
