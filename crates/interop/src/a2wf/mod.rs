//! A2WF: the policy that a site publishes for agents, as a reader, a validator and a gate.
//!
//! [`read()`] turns a `siteai.json` into a [`Policy`] and findings. [`obtain()`] looks for the policy of a site, and
//! [`Store`] keeps what was found. [`decide()`] is the decision, without any input or output. [`SitePolicyGate`] asks it
//! about every operation of an engine.

mod agent;
mod decide;
mod enforce;
mod gate;
mod key;
mod memory;
mod obtain;
mod operation;
mod policy;
mod read;
mod rules;
mod site;
mod store;
mod verdict;

pub use agent::Agent;
pub use decide::{MOST_PAGES, Question, Settings, decide, limits};
pub use enforce::{Enforcer, EnforcerError};
pub use gate::{GateOptions, Say, Scope, SitePolicyGate};
pub use key::{Group, Key};
pub use obtain::{ObtainOptions, assess, obtain};
pub(crate) use obtain::{home, robots};
pub use operation::{Applies, How, Kind, Operation, ToolFacts, Use};
pub use policy::{
    Access, Blocked, Defaults, HumanVerification, Identification, Method, Permission, Policy, Scraping,
    Trusted,
};
pub use read::{ReadOptions, Reading, read};
pub use rules::RULES;
pub use site::{Looked, SitePolicy, State, site_text};
pub use store::Store;
pub use verdict::{Refusal, Request, Verdict, Verification, Warning, Way};
