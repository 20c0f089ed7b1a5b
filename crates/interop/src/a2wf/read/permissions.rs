//! The permissions of version 1.0: three groups of keys.

use actions_manifest::document::{Kind, Node, Spot};

use super::super::key::{Group, Key, STANDARD};
use super::super::policy::{Permission, Policy};
use super::super::rules::{a2wf003_wrong_type, a2wf008_unknown_permission};
use super::members::Members;
use super::shown;

/// The most permissions that are kept. A policy with more is one that nobody wrote for agents.
const MOST: usize = 10_000;

pub(super) fn read(members: &mut Members<'_, '_>, policy: &mut Policy) {
    if members.required("permissions", "add `permissions` with the groups read, action and data").is_none() {
        return;
    }
    let Some(node) = members.object("permissions") else { return };
    let mut groups = members.of(node);
    for (name, value) in node.members() {
        match Group::of_name(name) {
            Some(group) => keys(&mut groups, group, value, policy),
            None => {
                let message = format!("`{}` is no group of permissions", shown(name));
                groups
                    .report
                    .find(&a2wf008_unknown_permission::RULE, Spot::Key(value), message)
                    .help("the groups are read, action and data");
            }
        }
    }
}

fn keys<'d>(members: &mut Members<'d, '_>, group: Group, node: Node<'d>, policy: &mut Policy) {
    if !members.typed(node, Kind::Object) {
        return;
    }
    for (name, value) in node.members() {
        if policy.permissions.len() >= MOST {
            let message = format!("there are more than {MOST} permissions");
            members
                .report
                .find(&a2wf003_wrong_type::RULE, value, message)
                .help("group what belongs together");
            return;
        }
        let key = Key::new(group, name);
        if !key.is_standard() {
            let known = STANDARD.iter().filter(|known| known.group == group).map(|known| known.name);
            let message = format!("`{}` is no key of the standard", shown(&key.to_string()));
            members
                .report
                .find(&a2wf008_unknown_permission::RULE, Spot::Key(value), message)
                .help(format!("the keys of this group are {}", known.collect::<Vec<_>>().join(", ")));
        }
        if members.typed(value, Kind::Object) {
            let permission = permission(&mut members.of(value));
            policy.permissions.insert(key, permission);
        }
    }
}

fn permission(members: &mut Members<'_, '_>) -> Permission {
    let is_there = members.required("allowed", "write `\"allowed\": true` or `\"allowed\": false`").is_some();
    Permission {
        allowed: if is_there { members.boolean("allowed") } else { None },
        rate_limit: members.count("rateLimit"),
        human_verification: members.boolean("humanVerification").unwrap_or(false),
        hand_over: false,
        note: members.text("note").map(|note| note.chars().take(2_000).collect()),
    }
}
