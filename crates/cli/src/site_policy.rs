//! Options about the policies that sites publish for agents, and the gate that obeys them.

use std::sync::{Arc, OnceLock};

use actions_engine::{CallError, Policy, Rules};
use actions_interop::a2wf::{GateOptions, ObtainOptions, Scope, Settings, SitePolicyGate, Store};
use actions_interop::fetch::Client;
use clap::ValueEnum;

use crate::agent_options::AgentOptions;
use crate::output::note;

/// Options about the policies that sites publish for agents.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct SitePolicyOptions {
    /// Sites whose policy for agents is obeyed
    #[arg(long, value_enum, default_value_t = Obey::Remote, value_name = "SITES")]
    site_policy: Obey,
    /// Wait until a limit of the policy allows the next call, instead of failing
    #[arg(long)]
    wait_for_limits: bool,
    /// Also read a draft of a standard
    #[arg(long, value_enum, value_name = "DRAFT")]
    experimental: Vec<Experimental>,
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    /// The gate, once it is needed. All engines of a command share what it has fetched and counted.
    #[arg(skip)]
    gate: Arc<OnceLock<Option<SitePolicyGate>>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Obey {
    /// Those on other machines
    #[default]
    Remote,
    /// Those on this machine too
    Everywhere,
    /// All of them, and a site without a policy is only read
    Required,
}

/// A draft of a standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experimental {
    /// Version 1.1 of A2WF
    #[value(name = "a2wf-1.1")]
    A2wf11,
}

impl SitePolicyOptions {
    /// Whether an option was given.
    pub(crate) fn is_given(&self) -> bool {
        self.site_policy != Obey::Remote || self.wait_for_limits || !self.experimental.is_empty()
    }

    /// The gate of these options; none if they do not allow making one, which the client reports when it is used.
    pub(crate) fn gate(&self) -> Option<&SitePolicyGate> {
        self.gate.get_or_init(|| self.make().ok()).as_ref()
    }

    fn make(&self) -> Result<SitePolicyGate, CallError> {
        let client = Client::new(self.agent.identity())?;
        let store = Store::new(client, obtain_options(&self.experimental));
        let options = GateOptions {
            scope: if self.site_policy == Obey::Remote { Scope::Remote } else { Scope::Everywhere },
            settings: Settings { require_policy: self.site_policy == Obey::Required },
            wait: self.wait_for_limits,
        };
        Ok(SitePolicyGate::saying(
            store,
            options,
            Some(Arc::new(|line: &str| note(format_args!("warning: {line}")))),
        ))
    }

    /// The rules of an engine, and around them the policies of sites.
    pub(crate) fn around(&self, rules: Rules) -> Box<dyn Policy> {
        match self.gate() {
            Some(gate) => Box::new(gate.around(rules)),
            None => Box::new(rules),
        }
    }
}

/// How policies are read with these drafts.
pub(crate) fn obtain_options(experimental: &[Experimental]) -> ObtainOptions {
    ObtainOptions { draft_1_1: experimental.contains(&Experimental::A2wf11) }
}
