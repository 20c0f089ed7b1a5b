//! What a recording is good for afterwards: the lock of its map, and a regression case.
//!
//! Both come from the recording itself, in a browser without a network, so that nothing happens on the site a second time.

use std::path::{Path, PathBuf};

use actions_drift::{Case, Checker, Lock, Options, Player, Recording, Source, difference};
use actions_engine::browser::{Browser, Clock, Steady, SystemClock};
use actions_engine::{CallError, CancellationToken, Engine, Secrets};
use actions_protocol::{ErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::commands::check::{keep_lock, lock_beside, read_lock};
use crate::interrupt;
use crate::live::LiveOptions;
use crate::live_session::block_on;
use crate::output::note;
use crate::output_file::OutputFile;
use crate::text::line;
use crate::tool_input::ToolInput;

/// What is made of a recording.
pub(super) struct Afterwards<'a> {
    pub(super) engine: &'a Engine,
    pub(super) live: &'a LiveOptions,
    pub(super) har: &'a Path,
    /// Whether the lock is written.
    pub(super) lock: bool,
    pub(super) case: Option<CaseWanted<'a>>,
    pub(super) quiet: bool,
}

/// The case that is made of a recording.
pub(super) struct CaseWanted<'a> {
    pub(super) file: CaseFile,
    pub(super) tool: &'a str,
    pub(super) input: &'a ToolInput,
    /// When the pages of the recording began, by their clock.
    pub(super) at: Timestamp,
    /// What the tool returned on the site.
    pub(super) returned: Option<Value>,
}

/// The place of a case.
pub(super) struct CaseFile {
    path: PathBuf,
    /// Where the recording is, from the folder of the map.
    recording: String,
}

impl CaseFile {
    /// The file of a case beside a map. Fails unless the recording is beside the map too.
    pub(super) fn of(map: &Path, har: &Path, name: &str) -> Result<Self, CallError> {
        let wrong = |message: String, hint: &str| {
            CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", format!("nothing was run; {hint}"))
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
            let message = format!("`{name}` cannot be the name of a case");
            return Err(wrong(message, "use letters, digits, `-`, `_` and `.`"));
        }
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder_of(map);
        let below = absolute(har).strip_prefix(absolute(folder)).map(Path::to_owned);
        let below = below.map_err(|_| {
            let message = format!("{} is not below the folder of the map", har.display());
            wrong(message, "a case needs its recording there; without `--har` it is recordings/NAME.har")
        })?;
        let recording = below.display().to_string();
        Ok(Self { path: folder.join("cases").join(format!("{name}.json")), recording })
    }
}

/// The folder of a map, which may be named by its folder.
pub(super) fn folder_of(map: &Path) -> &Path {
    if map.is_dir() { map } else { map.parent().unwrap_or(Path::new("")) }
}

impl Afterwards<'_> {
    /// Writes the lock and the case. A lock that cannot be written is a warning: the recording is what was asked for.
    pub(super) fn write(self) -> Result<(), CallError> {
        if !self.lock && self.case.is_none() {
            return Ok(());
        }
        block_on(async {
            let cancel = CancellationToken::new();
            let _listening = interrupt::listen(cancel.clone());
            let opened = self.live.open(true, true, &cancel).await?;
            let Some(browser) = opened else {
                return Err(CallError::new(
                    ErrorCode::Cancelled,
                    "the command was cancelled; the recording is written",
                ));
            };
            let written = tokio::select! {
                biased;
                () = cancel.cancelled() => {
                    Err(CallError::new(ErrorCode::Cancelled, "the command was cancelled; the recording is written"))
                }
                written = Box::pin(self.work(&*browser)) => written,
            };
            browser.close_by(self.live.time().closing()).await;
            written
        })
    }

    async fn work(&self, browser: &dyn Browser) -> Result<(), CallError> {
        let recording = Recording::read(self.har)
            .map_err(|error| CallError::new(ErrorCode::InternalError, error.to_string()))?;
        let path = lock_beside(Path::new(self.engine.manifest().document().source().name()));
        let lock = read_lock(&path);
        if self.lock
            && let Err(error) = self.locked(browser, &recording, &path, &lock).await
        {
            note(format_args!("warning: the lock was not written: {}", line(&error.message)));
        }
        match &self.case {
            Some(wanted) => self.made(browser, &recording, &lock.unwrap_or_default(), wanted).await,
            None => Ok(()),
        }
    }

    /// Keeps what the targets of the map match on the recorded pages.
    async fn locked(
        &self,
        browser: &dyn Browser,
        recording: &Recording,
        path: &Path,
        lock: &Result<Lock, CallError>,
    ) -> Result<(), CallError> {
        let lock = lock.as_ref().map_err(Clone::clone)?;
        let options = Options {
            identity: self.live.identity.loaded()?,
            update_lock: true,
            steady: self.case.as_ref().map(|case| steady(&case.at)),
            ..Options::default()
        };
        let checker = Checker {
            browser,
            engine: self.engine,
            name: String::new(),
            lock,
            source: &Source::Recorded(vec![recording.clone()]),
            start: self.live.url.clone(),
            also: Vec::new(),
            only: None,
            options: &options,
        };
        match Box::pin(checker.check()).await.lock {
            Some(lock) if !lock.is_empty() => keep_lock(path, &lock, self.quiet),
            _ => Ok(()),
        }
    }

    /// Plays the case once, and writes down what came of it.
    async fn made(
        &self,
        browser: &dyn Browser,
        recording: &Recording,
        lock: &Lock,
        wanted: &CaseWanted<'_>,
    ) -> Result<(), CallError> {
        let plan = self.engine.plan(wanted.tool)?;
        let input = wanted.input.read(|name, text| plan.argument(name, text))?;
        let secrets = Secrets::default();
        for text in plan.accept(input.clone())?.secrets().unwrap_or_default() {
            secrets.learn(&json!(text));
        }
        // The recording matches whatever is sent in the place of a secret.
        let Value::Object(arguments) = secrets.mask(&input).into_inner() else {
            return Err(CallError::new(ErrorCode::InternalError, "arguments are an object"));
        };
        let mut case =
            Case::of_tool(wanted.tool, arguments, wanted.file.recording.clone(), wanted.at.clone());
        case.url.clone_from(&self.live.url);
        let player = Player { browser, engine: self.engine, lock };
        let found = Box::pin(player.play(&case, Some(recording))).await?;
        case.expect = found.accepted(&found.as_expected().with_short_error());
        let differs = wanted.returned.as_ref().zip(found.value.as_ref());
        let first = differs.and_then(|(live, replayed)| difference(live, replayed, &[]).into_iter().next());
        if let Some(first) = first {
            let place = if first.path.is_empty() { "the value" } else { first.path.as_str() };
            note(format_args!(
                "warning: on the recording the tool returns something else than on the site: {place}"
            ));
        }
        let written = OutputFile::create_with_folders(&wanted.file.path)
            .and_then(|file| file.keep_shared(case.to_text().as_bytes()));
        let path = wanted.file.path.display().to_string();
        written.map_err(|error| CallError::new(ErrorCode::WrongUsage, format!("{path}: {error}")))?;
        if !self.quiet {
            note(format_args!("wrote the case {}", line(&path)));
        }
        Ok(())
    }
}

/// The moment at which the pages of a recording for a case begin: now.
pub(super) fn now() -> Timestamp {
    Timestamp::from_unix_millis(SystemClock.unix_millis())
}

/// The clock and the random numbers while a case is recorded: those with which it is played.
pub(super) fn steady(at: &Timestamp) -> Steady {
    Case::of_tool("", serde_json::Map::new(), String::new(), at.clone()).steady()
}
