//! Where commands come from.

/// Where a command comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// Who holds the sessions that begin here: the address of the machine, or the page.
    pub(crate) holder: String,
    /// The origin of the page, if a page sent it.
    pub(crate) origin: Option<String>,
    /// What the agent calls itself.
    pub(crate) agent: Option<String>,
    /// What its program says it is.
    pub(crate) user_agent: Option<String>,
    /// The connection or the document, in which ids are unique without a session.
    pub(crate) line: Option<String>,
    /// Whether a token can be stolen on the way.
    pub(crate) is_far: bool,
    /// Where a client without a connection is told of events, without the id of its subscription.
    pub(crate) stream: Option<String>,
}

impl Caller {
    /// The caller as sessions know it, which may have a policy for callers.
    pub(crate) fn of_session(&self) -> actions_runtime::Caller {
        actions_runtime::Caller { name: self.agent.clone(), user_agent: self.user_agent.clone() }
    }
}

/// A new id that nobody can guess.
pub(crate) fn new_id(prefix: &str) -> String {
    let mut bytes = [0_u8; 16];
    // Without random bytes the id is still one that no session has.
    let _ = getrandom::fill(&mut bytes);
    format!("{prefix}_{}", data_encoding::HEXLOWER.encode(&bytes))
}
