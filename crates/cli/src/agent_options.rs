//! Options that say to sites who runs this program, and what for.

use actions_interop::identity::Identity;

/// Options that say to sites who runs this program, and what for.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct AgentOptions {
    /// Name of the agent that sites are told
    #[arg(long, env = "ACTIONS_AGENT_NAME", hide_env_values = true, value_name = "NAME", value_parser = part)]
    agent_name: Option<String>,
    /// Who runs the agent
    #[arg(long, env = "ACTIONS_AGENT_OPERATOR", hide_env_values = true, value_name = "NAME", value_parser = part)]
    agent_operator: Option<String>,
    /// Where to reach its operator: an address or a mailbox
    #[arg(long, env = "ACTIONS_AGENT_CONTACT", hide_env_values = true, value_name = "URL|MAIL", value_parser = part)]
    agent_contact: Option<String>,
    /// What the agent is for; training, competitive, republish and monitoring are uses that policies may forbid
    #[arg(long, env = "ACTIONS_AGENT_PURPOSE", hide_env_values = true, value_name = "TEXT", value_parser = part)]
    agent_purpose: Option<String>,
}

impl AgentOptions {
    /// The identity that these options describe.
    pub(crate) fn identity(&self) -> Identity {
        let identity = Identity::default();
        let identity = self.agent_name.iter().fold(identity, Identity::name);
        let identity = self.agent_operator.iter().fold(identity, Identity::operator);
        let identity = self.agent_contact.iter().fold(identity, Identity::contact);
        self.agent_purpose.iter().fold(identity, Identity::purpose)
    }
}

/// Accepts a part of an identity that can be sent in a header.
fn part(text: &str) -> Result<String, String> {
    Identity::check_part(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}
