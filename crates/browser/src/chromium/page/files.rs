//! Files for file inputs.

use std::path::{Path, PathBuf};

use chromiumoxide_cdp::cdp::browser_protocol::dom::SetFileInputFilesParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::RemoteObjectId;

use super::ChromiumPage;
use crate::{Deadline, Error, Handle};

impl ChromiumPage {
    pub(super) async fn give_files(
        &self,
        input: &Handle,
        files: &[PathBuf],
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.state().told.stir_at_once();
        let paths = files.iter().map(|file| absolute(file)).collect::<Result<Vec<String>, Error>>()?;
        let session = self.home_of(&input.frame, deadline).await?;
        let command = SetFileInputFilesParams {
            object_id: Some(RemoteObjectId::from(input.object.clone())),
            ..SetFileInputFilesParams::new(paths)
        };
        self.answer(session.send(command, deadline)).await.map(drop).map_err(super::element::stale)
    }
}

/// The browser resolves nothing against our working directory, and says nothing when a file is missing.
fn absolute(file: &Path) -> Result<String, Error> {
    let missing = || Error::FileNotFound { path: file.to_path_buf() };
    let path = file.canonicalize().map_err(|_| missing())?;
    let readable = path.is_file() && std::fs::File::open(&path).is_ok();
    path.to_str().filter(|_| readable).map(str::to_owned).ok_or_else(missing)
}
