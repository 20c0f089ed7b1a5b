//! An operation of this program in the words of policies: its group, its keys, and where it goes.

use std::collections::BTreeSet;

use url::Url;

use super::key::{Group, Key, LOOKING, STANDARD, plain, words};
use super::policy::Policy;

/// What kind of operation it is. The kind decides which gates it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A page opens an address.
    Navigation,
    /// Waiting for the page, finding something on it, or asking for its address, without a tool.
    Transit,
    /// Reading the page without a tool: a snapshot, a screenshot, texts.
    Observation,
    /// Acting on the page without a tool.
    Handling,
    /// A call of a tool.
    Tool,
    /// A step of a call that was admitted on another origin, or under another policy.
    Step,
}

/// How a key was found for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The map says so.
    Explicit,
    /// The name of the tool is the key.
    Exact,
    /// The name of the tool is another word for the key.
    Synonym,
    /// The tool speaks of data that the key protects.
    Derived,
    /// The name of the tool has a word of the key. Such a key can forbid, and never allows.
    Resembling,
}

impl How {
    /// Whether a grant of the key is a grant of the operation.
    pub fn can_allow(self) -> bool {
        self != How::Resembling
    }
}

/// A key that applies to an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Applies {
    /// The key.
    pub key: Key,
    /// How it was found.
    pub how: How,
}

/// What the data that an operation reads is for, if that is one of the uses that policies name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// To train models.
    Training,
    /// To study the competition.
    Competitive,
    /// To publish it again.
    Republish,
    /// To watch prices.
    Monitoring,
}

impl Use {
    /// The use that a declared purpose means.
    pub fn of_purpose(purpose: &str) -> Option<Self> {
        match purpose.trim().to_ascii_lowercase().as_str() {
            "training" => Some(Self::Training),
            "competitive" => Some(Self::Competitive),
            "republish" => Some(Self::Republish),
            "monitoring" => Some(Self::Monitoring),
            _ => None,
        }
    }
}

/// An operation as policies see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its kind.
    pub kind: Kind,
    /// What it does.
    pub group: Group,
    /// The keys that apply.
    pub keys: Vec<Applies>,
    /// The address that it opens, if it opens one.
    pub opens: Option<Url>,
    /// How many pages a run has extracted so far, this one included.
    pub pages: u32,
}

impl Operation {
    /// An operation without keys.
    pub fn new(kind: Kind, group: Group) -> Self {
        Self { kind, group, keys: Vec::new(), opens: None, pages: 0 }
    }

    /// Opening an address.
    pub fn navigation(to: Url) -> Self {
        Self { opens: Some(to), ..Self::new(Kind::Navigation, Group::Read) }
    }

    /// A call of a tool, classified by a policy and by what the map says of it.
    pub fn tool(facts: &ToolFacts<'_>, policy: Option<&Policy>) -> Self {
        let group = if facts.mutating { Group::Action } else { Group::Read };
        Self { keys: classify(facts, policy), ..Self::new(Kind::Tool, group) }
    }

    /// What it does at most: its own group, and those of the keys that were found for it.
    pub fn weight(&self) -> Group {
        let keys =
            self.keys.iter().filter(|applies| applies.how.can_allow()).map(|applies| applies.key.group);
        keys.chain([self.group]).max().unwrap_or(self.group)
    }
}

/// What is known of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToolFacts<'t> {
    /// Its name.
    pub name: &'t str,
    /// Whether it may change something.
    pub mutating: bool,
    /// The permissions that its map names for it.
    pub declared: &'t [Key],
    /// The names of the members of its results.
    pub results: &'t [String],
}

/// The keys that apply to a tool. The first of these that finds any decides: the map, the name, a synonym. Keys of data and
/// keys that the tool only resembles come in addition.
fn classify(tool: &ToolFacts<'_>, policy: Option<&Policy>) -> Vec<Applies> {
    let mut found: BTreeSet<(Key, How)> = BTreeSet::new();
    let last = tool.name.rsplit('.').next().unwrap_or(tool.name);
    found.extend(tool.declared.iter().map(|key| (key.clone(), How::Explicit)));
    if found.is_empty() {
        found.extend(exact(last, policy).into_iter().map(|key| (key, How::Exact)));
    }
    if found.is_empty() {
        found.extend(synonyms(last).into_iter().map(|key| (key, How::Synonym)));
    }
    found.extend(data(tool).into_iter().map(|key| (key, How::Derived)));
    let known: BTreeSet<Key> = found.iter().map(|(key, _)| key.clone()).collect();
    let resembling = resembling(tool).into_iter().filter(|key| !known.contains(key));
    found.extend(resembling.map(|key| (key, How::Resembling)));
    // A key that was found in two ways counts by the stronger one.
    let mut seen = BTreeSet::new();
    let mut applies: Vec<Applies> = found.into_iter().map(|(key, how)| Applies { key, how }).collect();
    applies.sort_by_key(|one| one.how);
    applies.retain(|one| seen.insert(one.key.clone()));
    applies
}

/// The keys whose name is that of the tool: those of the policy, else those of the standard.
fn exact(last: &str, policy: Option<&Policy>) -> Vec<Key> {
    let wanted = plain(last);
    let keys = policy.into_iter().flat_map(|policy| policy.permissions.keys());
    let own: Vec<Key> = keys.filter(|key| plain(&key.name) == wanted).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let standard = STANDARD.iter().filter(|known| plain(known.name) == wanted);
    standard.map(|known| Key::new(known.group, known.name)).collect()
}

/// The keys of the standard that have the name of the tool as another word, and what a tool looks up that begins with
/// `get`, `list` or `view`.
fn synonyms(last: &str) -> Vec<Key> {
    let wanted = plain(last);
    let all = words(last);
    let looks = all.first().is_some_and(|first| LOOKING.contains(&first.as_str()));
    let means = |known: &&super::key::Standard| {
        let is_synonym = known.synonyms.iter().any(|synonym| plain(synonym) == wanted);
        let is_looked_up = looks
            && known.group == Group::Read
            && all.iter().skip(1).any(|word| known.words.contains(&word.as_str()));
        is_synonym || is_looked_up
    };
    STANDARD.iter().filter(means).map(|known| Key::new(known.group, known.name)).collect()
}

/// The protected data that a tool speaks of, in its name or in its results.
fn data(tool: &ToolFacts<'_>) -> Vec<Key> {
    let results = tool.results.iter().take(200).flat_map(|name| words(name));
    let spoken: BTreeSet<String> = words(tool.name).into_iter().chain(results).collect();
    let about = |known: &&super::key::Standard| {
        known.group == Group::Data && known.words.iter().any(|word| spoken.contains(*word))
    };
    STANDARD.iter().filter(about).map(|known| Key::new(known.group, known.name)).collect()
}

/// The actions that a tool which may change something resembles.
fn resembling(tool: &ToolFacts<'_>) -> Vec<Key> {
    if !tool.mutating {
        return Vec::new();
    }
    let spoken = words(tool.name);
    let about = |known: &&super::key::Standard| {
        known.group == Group::Action && known.words.iter().any(|word| spoken.iter().any(|said| said == word))
    };
    STANDARD.iter().filter(about).map(|known| Key::new(known.group, known.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::policy::Permission;
    use super::*;

    fn found(name: &str, mutating: bool) -> Vec<String> {
        let facts = ToolFacts { name, mutating, ..ToolFacts::default() };
        let keys = classify(&facts, None).into_iter();
        keys.map(|one| format!("{} {:?}", one.key, one.how)).collect()
    }

    #[test]
    fn a_tool_is_classified_by_the_last_part_of_its_name() {
        assert_eq!(found("shop.add_to_cart", true), ["action.addToCart Exact"]);
        assert_eq!(found("shop.checkout", true)[0], "action.checkout Exact");
        assert_eq!(found("shop.buy", true)[0], "action.checkout Synonym");
        assert_eq!(found("shop.placeOrder", true)[0], "action.checkout Synonym");
        assert_eq!(found("clinic.reserve", true)[0], "action.bookAppointment Synonym");
        assert_eq!(found("shop.find", false)[0], "action.search Synonym");
        assert_eq!(found("shop.get_product", false), ["read.productCatalog Synonym"]);
        assert_eq!(found("shop.list_prices", false), ["read.pricing Synonym"]);
        assert_eq!(found("board.move_card", true), Vec::<String>::new());
    }

    #[test]
    fn a_name_that_only_resembles_a_key_is_never_granted_by_it() {
        assert_eq!(found("search_and_delete", true), ["action.search Resembling"]);
        assert_eq!(found("search.submit", true), ["action.search Resembling"]);
        assert!(!How::Resembling.can_allow());
    }

    #[test]
    fn tools_that_speak_of_protected_data_need_its_key_too() {
        assert_eq!(found("account.list_orders", false), ["data.orderHistory Derived"]);
        assert_eq!(found("crm.get_customers", false), ["data.customerRecords Derived"]);
        let results = ["employee_id".to_owned()];
        let facts = ToolFacts { name: "report", results: &results, ..ToolFacts::default() };
        assert_eq!(classify(&facts, None)[0].key, Key::new(Group::Data, "employeeData"));
    }

    #[test]
    fn a_key_of_the_policy_counts_when_the_tool_has_exactly_its_name() {
        let mut policy = Policy::default();
        policy.permissions.insert(Key::new(Group::Action, "feedCat"), Permission::default());
        let facts = ToolFacts { name: "pets.feed_cat", mutating: true, ..ToolFacts::default() };
        assert_eq!(classify(&facts, Some(&policy))[0].key, Key::new(Group::Action, "feedCat"));
        assert_eq!(classify(&facts, None), []);
    }

    #[test]
    fn what_the_map_says_comes_before_the_name() {
        let declared = [Key::new(Group::Action, "cancelOrder")];
        let facts =
            ToolFacts { name: "checkout", mutating: true, declared: &declared, ..ToolFacts::default() };
        let keys = classify(&facts, None);
        assert_eq!((&keys[0].key, keys[0].how), (&declared[0], How::Explicit));
        assert_eq!(keys[1].how, How::Resembling, "{keys:?}");
    }
}
