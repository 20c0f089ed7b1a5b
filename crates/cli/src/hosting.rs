//! What commands share that keep a session open and let others use it: its browser, its maps and its start page.

use std::path::PathBuf;
use std::sync::Arc;

use actions_bridge::People;
use actions_engine::browser::{Browser, ContextOptions, Replay, StorageState};
use actions_engine::{CallError, CancellationToken, Engine};
use actions_manifest::Profile;
use actions_protocol::ErrorCode;
use actions_runtime::{Admission, Launcher, MakeEngine, MapFiles, OpenSession, Runtime};
use async_trait::async_trait;

use crate::held::Held;
use crate::host::CommandHost;
use crate::live::LiveOptions;
use crate::replay_option::ReplayOption;
use crate::{findings, maps};

/// Options of commands that keep a session open and let others use it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Hosting {
    /// Maps of the session, or folders that contain them; the first map decides where the session starts
    #[arg(required = true)]
    pub(crate) maps: Vec<PathBuf>,
    /// Print nothing but the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) live: LiveOptions,
    #[command(flatten)]
    pub(crate) replay: ReplayOption,
    /// Program of an agent beside the session, which `runtime.agent.start` starts; it reads messages from its standard input
    /// and writes events to its standard output, as lines of JSON
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) agent: Option<PathBuf>,
    /// Who decides which clients may call what.
    #[arg(skip)]
    pub(crate) admission: Option<Arc<dyn Admission>>,
    /// The people who are asked before a call changes the site.
    #[arg(skip)]
    pub(crate) people: Option<People>,
}

/// Launches the browser that the options describe.
struct OptionsLauncher {
    options: Hosting,
    cancel: CancellationToken,
}

#[async_trait]
impl Launcher for OptionsLauncher {
    async fn launch(&self) -> Result<Arc<dyn Browser>, CallError> {
        let is_replay = self.options.replay.is_given();
        let opened = self.options.live.open(is_replay, self.options.quiet, &self.cancel).await;
        let cancelled = || CallError::new(ErrorCode::Cancelled, "the session was ended while it started");
        opened?.ok_or_else(cancelled)
    }
}

impl Hosting {
    /// Makes the engine of a map: with the limits and the policy of these options, and the people who are asked.
    pub(crate) fn make_engine(&self) -> MakeEngine {
        let (live, people, is_replay) = (self.live.clone(), self.people.clone(), self.replay.is_given());
        Arc::new(move |manifest| {
            people.iter().cloned().fold(live.engine_for(manifest, is_replay), Engine::on_confirm)
        })
    }

    /// Launches the browser that these options describe, unless `cancel` fires first.
    pub(crate) fn launcher(&self, cancel: &CancellationToken) -> impl Launcher + use<> {
        OptionsLauncher { options: self.clone(), cancel: cancel.clone() }
    }

    /// Loads the maps and opens the session with the cookies and storage of its profile, if it has one. Findings are
    /// printed.
    pub(crate) async fn open(
        &self,
        runtime: &Runtime,
        name: &str,
        profile_state: Option<StorageState>,
    ) -> Result<Held, CallError> {
        let files = self.maps(|engine| engine)?;
        let mut context = self.context()?;
        context.storage_state = context.storage_state.or(profile_state);
        let host = CommandHost::new(
            &self.maps,
            self.agent.as_deref(),
            context.replay.as_ref(),
            self.live.identity_of_agent(),
        );
        let mut open = OpenSession::named(name).context(context).host(host).admission(self.admission.clone());
        open.url.clone_from(&self.live.url);
        open.maps = files.versions();
        Ok(Held::new(runtime.open(open).await?, files))
    }

    /// The browser context of a session.
    pub(crate) fn context(&self) -> Result<ContextOptions, CallError> {
        let replay = self.replay.recording()?.map(|archive| Arc::new(Replay::new(archive)));
        let storage_state = self.live.identity.loaded()?;
        let user_agent_suffix = self.live.user_agent_suffix(replay.is_some());
        Ok(ContextOptions { replay, storage_state, user_agent_suffix, ..ContextOptions::default() })
    }

    /// The files of the maps.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, CallError> {
        let mut paths = Vec::new();
        for path in &self.maps {
            let files = maps::files(path, self.live.url.as_deref())?;
            paths.extend(files.into_iter().map(|file| std::path::absolute(&file).unwrap_or(file)));
        }
        Ok(paths)
    }

    /// Loads the maps; `adapt` has the last word about their engines. Findings are printed.
    pub(crate) fn maps(
        &self,
        adapt: impl Fn(Engine) -> Engine + Send + Sync + 'static,
    ) -> Result<MapFiles, CallError> {
        let profile = if self.live.lenient { Profile::Lenient } else { Profile::Strict };
        let make_engine = self.make_engine();
        let adapted: MakeEngine = Arc::new(move |manifest| adapt(make_engine(manifest)));
        let files = MapFiles::load(self.files()?, profile, adapted);
        files.map_err(|error| {
            findings::human::print(&error.findings);
            let code = match error.findings.is_empty() {
                true => ErrorCode::ManifestNotFound,
                false => ErrorCode::ManifestInvalid,
            };
            CallError::new(code, error.to_string())
        })
    }
}
