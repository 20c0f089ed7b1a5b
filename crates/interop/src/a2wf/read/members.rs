//! The members of an object, with a finding for each that has another type than it should.

use actions_manifest::Report;
use actions_manifest::document::{Kind, Node};
use actions_protocol::Timestamp;
use url::Url;

use super::super::rules::{
    a2wf003_wrong_type, a2wf006_unknown_word, a2wf007_not_a_count, a2wf016_relative_address,
    a2wf017_not_a_date,
};
use super::{missing, shown};

/// An object of a policy and the report about it.
pub(super) struct Members<'d, 'r> {
    pub(super) node: Node<'d>,
    pub(super) report: &'r mut Report,
}

impl<'d, 'r> Members<'d, 'r> {
    pub(super) fn new(node: Node<'d>, report: &'r mut Report) -> Self {
        Self { node, report }
    }

    /// The members of another object.
    pub(super) fn of<'s>(&'s mut self, node: Node<'d>) -> Members<'d, 's> {
        Members { node, report: self.report }
    }

    /// A member that must be there.
    pub(super) fn required(&mut self, key: &str, help: &str) -> Option<Node<'d>> {
        let found = self.node.get(key);
        if found.is_none() {
            missing(self.report, self.node, key, help);
        }
        found
    }

    /// A member that is an object.
    pub(super) fn object(&mut self, key: &str) -> Option<Node<'d>> {
        let node = self.node.get(key)?;
        self.typed(node, Kind::Object).then_some(node)
    }

    /// Whether a value has a type; reports it if not.
    pub(super) fn typed(&mut self, node: Node<'d>, kind: Kind) -> bool {
        if node.kind() == kind {
            return true;
        }
        let name = node.key().map(|key| format!("`{}`", shown(key))).unwrap_or_else(|| "this".to_owned());
        let (wanted, found) = (kind.with_article(), node.kind().with_article());
        let message = format!("{name} is {found}, and the standard wants {wanted}");
        self.report.find(&a2wf003_wrong_type::RULE, node, message).help(format!("write {wanted}"));
        false
    }

    /// The text of a value.
    pub(super) fn text_of(&mut self, node: Node<'d>) -> Option<&'d str> {
        self.typed(node, Kind::String).then(|| node.as_str()).flatten()
    }

    /// A member that is a text.
    pub(super) fn text(&mut self, key: &str) -> Option<&'d str> {
        let node = self.node.get(key)?;
        self.text_of(node)
    }

    /// A member that is true or false.
    pub(super) fn boolean(&mut self, key: &str) -> Option<bool> {
        let node = self.node.get(key)?;
        self.typed(node, Kind::Bool).then(|| node.as_bool()).flatten()
    }

    /// A member that counts something.
    pub(super) fn count(&mut self, key: &str) -> Option<u64> {
        let node = self.node.get(key)?;
        if !self.typed(node, Kind::Number) {
            return None;
        }
        let count = node.as_number().and_then(serde_json::Number::as_u64);
        if count.is_none() {
            let message = format!("`{}` is no whole number from zero", shown(key));
            self.report.find(&a2wf007_not_a_count::RULE, node, message).help("write a number such as 30");
        }
        count
    }

    /// The elements of a member that is a list.
    pub(super) fn elements(&mut self, key: &str) -> Option<Vec<Node<'d>>> {
        let node = self.node.get(key)?;
        self.typed(node, Kind::Array).then(|| node.elements().collect())
    }

    /// A member that is a list of texts.
    pub(super) fn texts(&mut self, key: &str) -> Option<Vec<&'d str>> {
        let elements = self.elements(key)?;
        Some(elements.into_iter().filter_map(|element| self.text_of(element)).collect())
    }

    /// Reports a word that is not among those that are known.
    pub(super) fn unknown_word(&mut self, node: Node<'d>, known: &[&str]) {
        let word = shown(node.as_str().unwrap_or_default());
        let message = format!("`{word}` is not a word that the standard knows here");
        let help = format!("write one of {}", known.join(", "));
        self.report.find(&a2wf006_unknown_word::RULE, node, message).help(help);
    }

    /// A member that is one of these words.
    pub(super) fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let node = self.node.get(key)?;
            self.unknown_word(node, &known);
        }
        found
    }

    /// A member that is an absolute address.
    pub(super) fn address(&mut self, key: &str) -> Option<Url> {
        let text = self.text(key)?;
        let url = Url::parse(text).ok().filter(|url| url.has_host());
        if url.is_none() {
            let message = format!("`{}` is no absolute address", shown(text));
            let node = self.node.get(key)?;
            self.report
                .find(&a2wf016_relative_address::RULE, node, message)
                .help("write the whole address, with https:// and the host");
        }
        url
    }

    /// A member that is a date; a date alone means the end of its day.
    pub(super) fn date(&mut self, key: &str) -> Option<u64> {
        let text = self.text(key)?;
        let whole = if text.len() == 10 { format!("{text}T23:59:59.999Z") } else { text.to_owned() };
        let moment = Timestamp::parse(&whole).ok();
        if moment.is_none() {
            let message = format!("`{}` is no date", shown(text));
            let node = self.node.get(key)?;
            self.report
                .find(&a2wf017_not_a_date::RULE, node, message)
                .help("write a date such as 2026-06-04, or 2026-06-04T16:25:00Z");
        }
        moment.map(|moment| moment.unix_millis())
    }
}
