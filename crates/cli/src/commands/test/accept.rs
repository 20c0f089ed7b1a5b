//! Writes what came of cases into their files.

use actions_drift::CaseStatus;
use actions_engine::CallError;
use actions_protocol::ErrorCode;

use super::Played;
use crate::output::note;
use crate::output_file::OutputFile;
use crate::text::line;

/// Writes every case that came out differently, each file whole or not at all.
pub(super) fn write(played: &[Played], quiet: bool) -> Result<(), CallError> {
    for Played { file, result, found, .. } in played {
        let differs = result.status == CaseStatus::Failed;
        let text = found.as_ref().filter(|_| differs).and_then(|found| file.accepting(found));
        let Some(text) = text else { continue };
        let path = line(&file.path.display().to_string());
        let kept = OutputFile::create(&file.path).and_then(|out| out.keep_shared(text.as_bytes()));
        kept.map_err(|error| CallError::new(ErrorCode::WrongUsage, format!("{path}: {error}")))?;
        if !quiet {
            note(format_args!("accepted {path}"));
        }
    }
    Ok(())
}
