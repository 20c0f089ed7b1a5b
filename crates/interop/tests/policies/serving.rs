//! Our own policy, applied to those who call us.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::ErrorCode;
use actions_engine::browser::TestClock;
use actions_interop::a2wf::{Agent, Enforcer, EnforcerError, ToolFacts};

use crate::site::{fixture, policy};

const SITE: &str = "https://site.example";

fn enforcer(text: &str, clock: &TestClock) -> Result<Enforcer, EnforcerError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("siteai.json");
    std::fs::write(&path, text).expect("a file");
    Enforcer::load(&path, Arc::new(clock.clone()))
}

fn caller(name: &str) -> Agent {
    Agent { name: Some(name.to_owned()), user_agent: Some(format!("{name}/1.0")), ..Agent::default() }
}

fn tool(name: &str) -> ToolFacts<'_> {
    ToolFacts { name, mutating: true, ..ToolFacts::default() }
}

#[test]
fn callers_get_what_the_policy_says() {
    let enforcer = enforcer(&fixture("shop", SITE), &TestClock::new()).unwrap();
    let code = |agent: &Agent, name: &str| enforcer.admit(agent, &tool(name)).map_err(|error| error.code);
    assert_eq!(code(&caller("clerk"), "shop.search"), Ok(()));
    assert_eq!(code(&caller("clerk"), "account.sign_up"), Err(ErrorCode::PolicyDenied));
    assert_eq!(code(&caller("clerk"), "cart.checkout"), Err(ErrorCode::HumanVerificationRequired));
    assert_eq!(code(&caller("HarvestBot-7"), "shop.search"), Err(ErrorCode::AgentBlocked));
    assert_eq!(code(&Agent::default(), "shop.search"), Err(ErrorCode::AgentIdentificationRequired));
}

#[test]
fn limits_hold_for_each_caller_by_itself() {
    let clock = TestClock::new();
    let text = policy(
        SITE,
        serde_json::json!({ "permissions": { "action": { "search": { "allowed": true, "rateLimit": 2 } } } }),
    );
    let enforcer = enforcer(&text.to_string(), &clock).unwrap();
    let code = |name: &str| enforcer.admit(&caller(name), &tool("shop.search")).map_err(|error| error.code);
    assert_eq!((code("a"), code("a")), (Ok(()), Ok(())));
    assert_eq!(code("a"), Err(ErrorCode::RateLimited));
    assert_eq!(code("b"), Ok(()));
    clock.advance(Duration::from_secs(60));
    assert_eq!(code("a"), Ok(()));
}

#[test]
fn a_policy_that_is_not_valid_is_not_enforced_but_refused() {
    let error = enforcer("{}", &TestClock::new()).unwrap_err();
    assert!(matches!(error, EnforcerError::Invalid { ref findings, .. } if !findings.is_empty()), "{error}");
}
