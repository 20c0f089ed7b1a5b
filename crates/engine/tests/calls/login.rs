//! Logins: a restored one is checked, and a call that ends on the login page has lost it.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::fake::FakeBrowser;
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{CallError, Session};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::map::{ORIGIN, engine, map, on_clock, session};
use crate::states::{Shown, reading, shop, state, tallies};

fn with_login() -> Value {
    let mut finding = reading("find");
    finding["target"] = json!({ "selector": "#board" });
    let mut map = map(&[reading("read"), finding, reading("sign_in"), reading("sign_out")]);
    map["states"] = json!([state("signed_in", "#account"), state("signed_out", "#login")]);
    map["transitions"] = json!([
        { "name": "enter", "from": "signed_out", "to": "signed_in", "tool": "sign_in" },
        { "name": "leave", "from": "signed_in", "to": "signed_out", "tool": "sign_out" },
    ]);
    map["x_actions"] = json!({ "auth_check": "signed_in", "login_state": "signed_out" });
    map
}

fn opened() -> (AutoClock, Session, Shown, Arc<actions_engine::browser::fake::FakePage>) {
    let (clock, page, shown) = shop();
    let session = session(&engine(&with_login()), &clock, &page);
    (clock, session, shown, page)
}

#[test]
fn a_call_that_ends_on_the_login_page_has_lost_its_login() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#login"]);
    let error = on_clock(&clock, session.call("read").run()).result.unwrap_err();
    insta::assert_json_snapshot!(error.to_error_object(), @r#"
    {
      "code": "auth_lost",
      "message": "the session is not signed in: the page shows `signed_out`, the login state of the map",
      "severity": "major",
      "recoverable": true,
      "evidence": {
        "state": "signed_out",
        "url": "https://fixture.example/"
      },
      "failure_class": "refused",
      "retryable": true,
      "safe_recovery": "sign in again, in the session or with a new storage state, then call again",
      "mutated": false
    }
    "#);
}

#[test]
fn a_target_that_the_login_page_does_not_have_is_a_lost_login() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#login"]);
    let error = on_clock(&clock, session.call("find").run()).result.unwrap_err();
    assert_eq!(error.code.as_str(), "auth_lost");
    let cause = error.cause.as_ref().expect("the failure behind it");
    assert_eq!(cause.code.as_str(), "target_not_found");
    assert_eq!(error.exit().code(), 5);
}

#[test]
fn a_call_that_fails_behind_the_login_fails_as_it_did() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#account"]);
    let error = on_clock(&clock, session.call("find").run()).result.unwrap_err();
    assert_eq!(error.code.as_str(), "target_not_found");
}

#[test]
fn signing_in_and_out_may_end_on_the_login_page() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#login"]);
    assert!(on_clock(&clock, session.call("sign_in").run()).result.is_ok());
    shown.set(&["#account", "#login"]);
    assert!(on_clock(&clock, session.call("sign_out").run()).result.is_ok());
}

#[test]
fn a_call_behind_the_login_costs_one_question_more() {
    let (clock, session, shown, page) = opened();
    shown.set(&["#account"]);
    page.take_performed();
    assert_eq!(on_clock(&clock, session.call("read").run()).result.unwrap(), json!("Maps"));
    assert_eq!(tallies(&page), 1);
}

#[test]
fn a_login_that_holds_passes_the_check() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#account"]);
    on_clock(&clock, session.check_auth(None)).unwrap();
}

#[test]
fn a_login_that_has_expired_fails_the_check_with_what_the_page_shows() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#login"]);
    let error = on_clock(&clock, session.check_auth(None)).unwrap_err();
    assert_eq!(error.code.as_str(), "auth_lost");
    assert_eq!(
        json!(error.evidence),
        json!({
            "state": "signed_out", "url": format!("{ORIGIN}/"), "required": "signed_in", "current": ["signed_out"],
        })
    );
    shown.set(&[]);
    let error = on_clock(&clock, session.check_auth(None)).unwrap_err();
    assert_eq!((error.code.as_str(), &error.evidence["state"]), ("auth_lost", &json!("signed_in")));
}

#[test]
fn a_map_without_a_check_says_nothing_about_logins() {
    let (clock, page, _) = shop();
    let session = session(&engine(&map(&[reading("read")])), &clock, &page);
    on_clock(&clock, session.check_auth(None)).unwrap();
    assert_eq!(tallies(&page), 0);
}

/// Opens a session in a browser whose page shows these selectors.
fn open(check: bool, selectors: &[&str]) -> Result<Session, CallError> {
    let (clock, page, shown) = shop();
    shown.set(selectors);
    let browser = FakeBrowser::new(Arc::new(clock.clone()));
    browser.prepare(page);
    let engine = engine(&with_login()).check_auth(check);
    on_clock(&clock, async {
        let deadline = Deadline::after(&clock, Duration::from_secs(9));
        let context = browser.new_context(ContextOptions::default(), deadline).await.unwrap();
        engine.open_in(&*browser, context, None).await
    })
}

#[test]
fn a_session_opens_signed_in_or_not_at_all_when_that_is_asked_for() {
    assert!(open(true, &["#account"]).is_ok());
    assert_eq!(open(true, &["#login"]).unwrap_err().code.as_str(), "auth_lost");
    assert!(open(false, &["#login"]).is_ok(), "a session that restores nothing need not be signed in");
}

#[test]
fn a_primitive_by_itself_may_end_on_the_login_page() {
    let (clock, session, shown, _) = opened();
    shown.set(&["#login"]);
    let locator = json!({ "locator": { "selector": "h1" } });
    let outcome = on_clock(&clock, session.primitive("locator.text_content").arguments(locator).run());
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
}
