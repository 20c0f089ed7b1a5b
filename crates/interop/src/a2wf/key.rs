//! The permissions that a policy grants or denies, and the words that tools use for them.

use std::fmt;

/// What an operation does, as policies group it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// It looks at what everyone may see.
    Read,
    /// It does something on the site.
    Action,
    /// It touches what belongs to a person or to the business.
    Data,
}

impl Group {
    /// Every group.
    pub const ALL: [Group; 3] = [Group::Read, Group::Action, Group::Data];

    /// Its name in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            Group::Read => "read",
            Group::Action => "action",
            Group::Data => "data",
        }
    }

    /// The group of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == name)
    }
}

/// A permission: a key in a group, such as `action.checkout`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The group.
    pub group: Group,
    /// The key, as the policy or the standard writes it.
    pub name: String,
}

impl Key {
    /// The key of a group.
    pub fn new(group: Group, name: impl Into<String>) -> Self {
        Self { group, name: name.into() }
    }

    /// Reads `action.checkout`.
    pub fn parse(text: &str) -> Option<Self> {
        let (group, name) = text.split_once('.')?;
        let group = Group::of_name(group)?;
        (!name.is_empty()).then(|| Self::new(group, name))
    }

    /// Whether the standard names it.
    pub fn is_standard(&self) -> bool {
        STANDARD.iter().any(|known| known.group == self.group && known.name == self.name)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.group.as_str(), self.name)
    }
}

/// A permission of the standard.
pub(super) struct Standard {
    pub(super) group: Group,
    pub(super) name: &'static str,
    /// What tools call it as a whole, in words.
    pub(super) synonyms: &'static [&'static str],
    /// Words that hint at it. They can only bring prohibitions to bear.
    pub(super) words: &'static [&'static str],
}

const fn read(name: &'static str, words: &'static [&'static str]) -> Standard {
    Standard { group: Group::Read, name, synonyms: &[], words }
}

const fn action(
    name: &'static str,
    synonyms: &'static [&'static str],
    words: &'static [&'static str],
) -> Standard {
    Standard { group: Group::Action, name, synonyms, words }
}

const fn data(name: &'static str, words: &'static [&'static str]) -> Standard {
    Standard { group: Group::Data, name, synonyms: &[], words }
}

/// The permissions of the standard, with the words that tools use for them.
pub(super) static STANDARD: &[Standard] = &[
    read("productCatalog", &["product", "products", "catalog", "catalogue"]),
    read("pricing", &["price", "prices", "pricing"]),
    read("availability", &["stock", "availability"]),
    read("openingHours", &["hours"]),
    read("contactInfo", &["contact"]),
    read("reviews", &["review", "reviews", "ratings"]),
    read("faq", &["faq", "faqs"]),
    read("companyInfo", &["about", "company"]),
    action("search", &["find", "query", "lookup"], &["search", "find", "lookup"]),
    action("addToCart", &["add to basket", "cart add", "basket add"], &["cart", "basket"]),
    action(
        "checkout",
        &["buy", "purchase", "pay", "place order", "complete purchase", "order"],
        &["checkout", "buy", "purchase", "pay", "order"],
    ),
    action("createAccount", &["signup", "sign up", "register"], &["signup", "register", "account"]),
    action("submitReview", &["review", "rate"], &["review", "rate"]),
    action("submitContactForm", &["contact", "send message"], &["contact", "message"]),
    action(
        "bookAppointment",
        &["book", "reserve", "schedule"],
        &["book", "reserve", "booking", "appointment"],
    ),
    action("cancelOrder", &["cancel order"], &["cancel"]),
    action("requestRefund", &["refund", "return"], &["refund"]),
    data("customerRecords", &["customer", "customers", "users"]),
    data("orderHistory", &["orders", "purchases"]),
    data("paymentInfo", &["payment", "payments", "iban"]),
    data("internalAnalytics", &["analytics"]),
    data("employeeData", &["employee", "employees", "staff"]),
];

/// What a tool that looks something up begins with.
pub(super) const LOOKING: &[&str] = &["get", "list", "view", "read", "show"];

/// The words of a name: `addToCart`, `add_to_cart` and `add-to-cart` have the same.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous_is_lower = false;
    let mut begins = true;
    for c in name.chars().take(256) {
        if !c.is_alphanumeric() {
            (begins, previous_is_lower) = (true, false);
            continue;
        }
        if begins || c.is_uppercase() && previous_is_lower {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
        (begins, previous_is_lower) = (false, c.is_lowercase() || c.is_numeric());
    }
    words
}

/// A name in a form that does not depend on how its words are joined.
pub(super) fn plain(name: &str) -> String {
    words(name).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_name_do_not_depend_on_how_they_are_joined() {
        for name in ["addToCart", "add_to_cart", "add-to-cart", "Add to cart"] {
            assert_eq!(words(name), ["add", "to", "cart"], "{name}");
        }
        assert_eq!(plain("FAQ"), "faq");
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn a_key_is_read_with_its_group() {
        assert_eq!(Key::parse("action.checkout"), Some(Key::new(Group::Action, "checkout")));
        for bad in ["checkout", "action.", "write.checkout", ""] {
            assert_eq!(Key::parse(bad), None, "{bad}");
        }
    }
}
