//! The arguments of `cargo xtask fuzz`.

use std::path::PathBuf;

use thiserror::Error;

/// What the program was asked to do.
pub(super) enum Arguments {
    /// To run a campaign in separate processes.
    Campaign(Campaign),
    /// To be one of those processes, with this share of the work.
    Work { campaign: Campaign, share: u64 },
    /// To show how the time grows with maps that are large in one way.
    Giants(usize),
    /// To judge one file.
    Judge(PathBuf),
}

/// A number of executions.
pub(super) struct Campaign {
    pub(super) seed: u64,
    /// The number of the first execution.
    pub(super) first: u64,
    pub(super) executions: u64,
    /// How many processes share the work.
    pub(super) jobs: u64,
    /// Where reproducers are written.
    pub(super) folder: PathBuf,
}

/// Why the arguments cannot be used.
#[derive(Debug, Error)]
pub(super) enum ArgumentError {
    #[error("`{0}` is not an argument of this task")]
    Unknown(String),
    #[error("`{0}` needs a value")]
    Missing(String),
    #[error("`{0}` needs a whole number, not `{1}`")]
    NotANumber(String, String),
}

/// How the task is called.
pub(super) const USAGE: &str =
    "cargo xtask fuzz [--executions N] [--seed S] [--first N] [--jobs N] [--folder FOLDER]
cargo xtask fuzz --judge FILE
cargo xtask fuzz --giants SIZE";

impl Arguments {
    pub(super) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, ArgumentError> {
        let folder = std::env::temp_dir().join("actions-fuzz");
        let mut campaign = Campaign { seed: 1, first: 0, executions: 100_000, jobs: 1, folder };
        let mut share = None;
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| ArgumentError::Missing(name.clone()));
            let number = |value: String| match value.replace('_', "").parse::<u64>() {
                Ok(number) => Ok(number),
                Err(_) => Err(ArgumentError::NotANumber(name.clone(), value)),
            };
            match name.as_str() {
                "--executions" => campaign.executions = number(value?)?,
                "--seed" => campaign.seed = number(value?)?,
                "--first" => campaign.first = number(value?)?,
                "--jobs" => campaign.jobs = number(value?)?.max(1),
                "--folder" => campaign.folder = value?.into(),
                "--share" => share = Some(number(value?)?),
                "--giants" => return Ok(Self::Giants(number(value?)? as usize)),
                "--judge" => return Ok(Self::Judge(value?.into())),
                _ => return Err(ArgumentError::Unknown(name)),
            }
        }
        Ok(match share {
            None => Self::Campaign(campaign),
            Some(share) => Self::Work { campaign, share },
        })
    }
}

impl Campaign {
    /// The file in which a process keeps the number of the execution it is at.
    pub(super) fn place_file(&self, share: u64) -> PathBuf {
        self.folder.join(format!("at-{share}"))
    }

    /// The number after the last execution.
    pub(super) fn end(&self) -> u64 {
        self.first.saturating_add(self.executions)
    }
}
