//! The examples: policies of a shop, a restaurant, a clinic, an authority and a service, and what they decide.

use actions_engine::ErrorCode;
use actions_interop::a2wf::{
    Agent, Key, Operation, Question, ReadOptions, Settings, SitePolicy, State, ToolFacts, Verdict, decide,
    read,
};
use actions_interop::identity::Identity;

use crate::site::fixture;

const SITE: &str = "https://site.example";

fn site(name: &str) -> SitePolicy {
    let text = fixture(name, SITE);
    let reading = read(name, text.as_bytes(), ReadOptions::default());
    assert!(reading.is_valid(), "{name}: {:?}", reading.first_error());
    SitePolicy { policy: reading.policy.into(), ..SitePolicy::empty(SITE, State::Valid) }
}

/// What a policy decides about a tool, in a word.
fn decided(site: &SitePolicy, agent: &Agent, tool: &str, mutating: bool) -> String {
    let facts = ToolFacts { name: tool, mutating, ..ToolFacts::default() };
    let operation = Operation::tool(&facts, Some(&site.policy));
    let settings = Settings::default();
    match decide(&Question { site, operation: &operation, agent, settings }) {
        Verdict::Allow { .. } => "allow".to_owned(),
        Verdict::Verify(verification) => format!("verify {:?}", verification.way),
        Verdict::Deny(refusal) => format!("{} by gate {}", refusal.code, refusal.gate),
    }
}

fn agent() -> Agent {
    Agent::from(&Identity::default())
}

#[test]
fn the_shop_sells_with_a_person_and_keeps_its_data() {
    let shop = site("shop");
    let decided = |tool, mutating| decided(&shop, &agent(), tool, mutating);
    assert_eq!(decided("shop.search", true), "allow");
    assert_eq!(decided("shop.get_product", false), "allow");
    assert_eq!(decided("cart.add_to_cart", true), "allow");
    assert_eq!(decided("cart.checkout", true), "verify Challenge");
    assert_eq!(decided("cart.buy", true), "verify Challenge");
    assert_eq!(decided("account.sign_up", true), "policy_denied by gate 4");
    assert_eq!(decided("book.review", true), "policy_denied by gate 4");
    assert_eq!(decided("account.list_orders", false), "policy_denied by gate 4");
    assert_eq!(decided("wishlist.share", true), "policy_denied by gate 7", "what is not listed");
    assert_eq!(decided("shop.get_faq", false), "policy_denied by gate 7", "what is not listed, read too");
    let harvest = Agent { user_agent: Some("HarvestBot/2.0".to_owned()), ..agent() };
    assert_eq!(super::decisions::decided(&shop, &harvest, "shop.search", true), "agent_blocked by gate 1");
    let unknown = Agent::default();
    let decided = super::decisions::decided(&shop, &unknown, "shop.search", true);
    assert_eq!(decided, "agent_identification_required by gate 2");
}

#[test]
fn the_restaurant_is_open_but_not_with_the_data_of_people() {
    let restaurant = site("restaurant");
    let decided = |tool, mutating| decided(&restaurant, &agent(), tool, mutating);
    assert_eq!(decided("table.reserve", true), "allow");
    assert_eq!(decided("menu.view", false), "allow");
    assert_eq!(decided("menu.vote", true), "allow");
    assert_eq!(
        decided("guest.get_customers", false),
        "policy_denied by gate 7",
        "data is never open by default"
    );
}

#[test]
fn the_clinic_wants_to_know_who_asks_and_sees_people_itself() {
    let clinic = site("clinic");
    assert_eq!(decided(&clinic, &agent(), "visit.book", true), "agent_identification_required by gate 2");
    let identity = Identity::default().operator("Example Ltd").purpose("appointments");
    let known = Agent::from(&identity);
    let decided = |tool, mutating| decided(&clinic, &known, tool, mutating);
    assert_eq!(decided("visit.book", true), "verify HandOver", "a confirmation is not enough");
    assert_eq!(decided("visit.get_faq", false), "allow");
    assert_eq!(decided("visit.get_price", false), "policy_denied by gate 7");
    assert_eq!(decided("visit.cancel_order", true), "policy_denied by gate 4");
}

#[test]
fn the_authority_lets_a_person_confirm_what_is_sent() {
    let city = site("government");
    let decided = |tool, mutating| decided(&city, &agent(), tool, mutating);
    assert_eq!(decided("forms.contact", true), "verify Confirmation");
    assert_eq!(decided("site.search", true), "allow");
    assert_eq!(decided("site.get_price", false), "allow", "reading is open when nothing is said");
    assert_eq!(decided("permit.apply", true), "policy_denied by gate 7", "acting is not");
}

#[test]
fn the_service_has_keys_of_its_own_and_trusts_a_partner() {
    let service = site("saas");
    let decided = |agent: &Agent, tool| decided(&service, agent, tool, true);
    assert_eq!(decided(&agent(), "ledger.add_note"), "allow", "its own key, by the exact name");
    assert_eq!(decided(&agent(), "ledger.export_ledger"), "policy_denied by gate 4");
    assert_eq!(decided(&agent(), "invoice.create_invoice"), "policy_denied by gate 7");
    let partner = Agent::from(&Identity::default().name("clerk").operator("Tally Partners"));
    let facts = ToolFacts {
        name: "invoice.create_invoice",
        mutating: true,
        declared: &[Key::parse("action.createInvoice").unwrap()],
        ..ToolFacts::default()
    };
    let operation = Operation::tool(&facts, Some(&service.policy));
    let question =
        Question { site: &service, operation: &operation, agent: &partner, settings: Settings::default() };
    assert!(matches!(decide(&question), Verdict::Allow { .. }), "{:?}", decide(&question));
    assert_eq!(decided(&partner, "account.sign_up"), "policy_denied by gate 4", "trust lifts no prohibition");
}

#[test]
fn a_refusal_names_the_key_the_document_and_the_reason() {
    let mut shop = site("shop");
    shop.url = Some(format!("{SITE}/siteai.json").parse().unwrap());
    let facts = ToolFacts { name: "book.review", mutating: true, ..ToolFacts::default() };
    let operation = Operation::tool(&facts, Some(&shop.policy));
    let agent = agent();
    let question =
        Question { site: &shop, operation: &operation, agent: &agent, settings: Settings::default() };
    let Verdict::Deny(refusal) = decide(&question) else { panic!("a refusal") };
    assert_eq!(refusal.code, ErrorCode::PolicyDenied);
    assert_eq!(refusal.reason, "the policy of https://site.example denies `action.submitReview`");
    let facts: serde_json::Map<String, serde_json::Value> =
        refusal.facts(&shop).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    assert_eq!(facts["key"], "action.submitReview");
    assert_eq!(facts["document"], "https://site.example/siteai.json");
    assert_eq!(facts["site_text"]["untrusted"], true, "the note is marked as the word of the site");
}
