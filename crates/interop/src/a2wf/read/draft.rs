//! The permissions of the draft of version 1.1: a list of entries, each with an action and how much a person oversees it.

use actions_manifest::document::{Kind, Node};

use super::super::key::{Group, Key, STANDARD, plain};
use super::super::policy::{Access, Permission, Policy};
use super::members::Members;
use super::shown;
use crate::limits::Limit;

/// The most entries that are read.
const MOST: usize = 1_000;

/// The actions of the draft in the keys of version 1.0.
const ACTIONS: &[(&str, Group, &str)] = &[
    ("view", Group::Read, "productCatalog"),
    ("search", Group::Action, "search"),
    ("register", Group::Action, "createAccount"),
    ("purchase", Group::Action, "checkout"),
    ("subscribe", Group::Action, "subscribe"),
    ("review", Group::Action, "submitReview"),
    ("contact", Group::Action, "submitContactForm"),
    ("book", Group::Action, "bookAppointment"),
    ("cancel", Group::Action, "cancelOrder"),
    ("refund", Group::Action, "requestRefund"),
];

/// How much a person oversees an action.
#[derive(Clone, Copy)]
enum Oversight {
    Autonomous,
    Notification,
    Confirmation,
    Handover,
}

const OVERSIGHT: &[(&str, Oversight)] = &[
    ("autonomous", Oversight::Autonomous),
    ("notification", Oversight::Notification),
    ("confirmation", Oversight::Confirmation),
    ("handover", Oversight::Handover),
];

pub(super) fn permissions(members: &mut Members<'_, '_>, policy: &mut Policy) {
    if members.required("permissions", "add `permissions`, a list of entries with `action`").is_some() {
        for node in members.elements("permissions").unwrap_or_default().into_iter().take(MOST) {
            if members.typed(node, Kind::Object) {
                entry(&mut members.of(node), policy);
            }
        }
    }
    // The draft denies what it does not mention, unless its fallback says otherwise.
    policy.denies_unlisted_actions = true;
    if let Some(fallback) = members.node.get("fallback") {
        let word = fallback.as_str().or_else(|| fallback.get("access").and_then(Node::as_str));
        if matches!(word, Some("allow" | "open")) {
            policy.denies_unlisted_actions = false;
            policy.defaults.access = Some(Access::Open);
        }
    }
    limits(members, policy);
}

fn entry(members: &mut Members<'_, '_>, policy: &mut Policy) {
    if members.required("action", "add the action of the entry").is_none() {
        return;
    }
    let Some(action) = members.text("action") else { return };
    let allowed = match members.node.get("allowed") {
        Some(_) => members.boolean("allowed"),
        // An entry without the member grants what it lists.
        None => Some(true),
    };
    let oversight = members.word("oversight", OVERSIGHT).unwrap_or(Oversight::Autonomous);
    let (human_verification, hand_over) = match oversight {
        Oversight::Autonomous | Oversight::Notification => (false, false),
        Oversight::Confirmation => (true, false),
        Oversight::Handover => (true, true),
    };
    let note = members.text("note").map(shown);
    let permission = Permission { allowed, rate_limit: None, human_verification, hand_over, note };
    let key = key_of(action);
    // Of two entries for one action, what either denies is denied.
    let merged = match policy.permissions.get(&key) {
        Some(known) => Permission {
            allowed: known.allowed.zip(permission.allowed).map(|(one, other)| one && other),
            human_verification: known.human_verification || permission.human_verification,
            hand_over: known.hand_over || permission.hand_over,
            ..permission
        },
        None => permission,
    };
    policy.permissions.insert(key, merged);
}

/// The key of an action: by the table, as a key of the standard, else under its own name.
fn key_of(action: &str) -> Key {
    let wanted = plain(action);
    if let Some((_, group, name)) = ACTIONS.iter().find(|(known, ..)| plain(known) == wanted) {
        return Key::new(*group, *name);
    }
    let standard = STANDARD.iter().find(|known| plain(known.name) == wanted);
    standard.map_or_else(|| Key::new(Group::Action, shown(action)), |known| Key::new(known.group, known.name))
}

/// The limits of the draft have names; those that can be read hold for everything.
fn limits(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let Some(node) = members.object("rateLimits") else { return };
    for (_, value) in node.members().take(MOST) {
        let text = value.as_str().or_else(|| value.get("perAgent").and_then(Node::as_str));
        policy.limits.extend(text.and_then(Limit::parse));
    }
}
