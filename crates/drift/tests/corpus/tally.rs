//! What the corpus says in numbers.

use std::path::Path;

/// What became of one pair.
pub(crate) struct Judged {
    pub(crate) kind: String,
    /// Whether there is something to detect.
    pub(crate) is_drift: bool,
    /// Whether the check said that something is the matter.
    pub(crate) cried: bool,
    /// Whether status and code are as they should be.
    pub(crate) right: bool,
    pub(crate) wants_proposal: bool,
    pub(crate) proposed: bool,
    pub(crate) right_proposal: bool,
    pub(crate) mistakes: Vec<String>,
}

/// The kind of pairs in which nothing is to be found.
const CONTROLS: &str = "unchanged";
const BEGIN: &str = "<!-- corpus -->";
const END: &str = "<!-- end of corpus -->";

pub(crate) struct Tally<'j>(Vec<(&'j str, Vec<&'j Judged>)>);

impl<'j> Tally<'j> {
    pub(crate) fn of(judged: &'j [Judged]) -> Self {
        let mut kinds: Vec<(&str, Vec<&Judged>)> = Vec::new();
        for one in judged {
            match kinds.iter_mut().find(|(kind, _)| *kind == one.kind) {
                Some((_, list)) => list.push(one),
                None => kinds.push((&one.kind, vec![one])),
            }
        }
        kinds.sort_by_key(|(kind, _)| (*kind == CONTROLS, *kind));
        Self(kinds)
    }

    fn count(&self, controls: bool, is: impl Fn(&Judged) -> bool) -> usize {
        let of = self.0.iter().filter(|(kind, _)| (*kind == CONTROLS) == controls);
        of.flat_map(|(_, list)| list).filter(|judged| is(judged)).count()
    }

    pub(crate) fn pairs(&self) -> usize {
        self.count(false, |_| true)
    }

    pub(crate) fn controls(&self) -> usize {
        self.count(true, |_| true)
    }

    pub(crate) fn right(&self) -> usize {
        self.count(false, |judged| judged.right)
    }

    pub(crate) fn cries_on_controls(&self) -> usize {
        self.count(true, |judged| judged.cried)
    }

    fn proposals_of(&self, wanted: &str) -> usize {
        let of = self.0.iter().filter(|(kind, _)| *kind == wanted);
        of.flat_map(|(_, list)| list).filter(|judged| judged.proposed).count()
    }

    pub(crate) fn proposals_for_removed(&self) -> usize {
        self.proposals_of("removed")
    }

    pub(crate) fn proposals_of_look_alikes(&self) -> usize {
        self.proposals_of("look-alike")
    }

    pub(crate) fn mistakes(&self) -> Vec<&str> {
        self.0
            .iter()
            .flat_map(|(_, list)| list)
            .flat_map(|judged| &judged.mistakes)
            .map(String::as_str)
            .collect()
    }

    /// A row for each kind, and one for all.
    pub(crate) fn table(&self) -> String {
        let mut rows = vec![
            "| change | pairs | to detect | detected | misclassified | repairable | right proposals | wrong proposals |".to_owned(),
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |".to_owned(),
        ];
        let row = |kind: &str, list: &[&Judged]| {
            let count = |is: &dyn Fn(&&&Judged) -> bool| list.iter().filter(|judged| is(judged)).count();
            format!(
                "| {kind} | {} | {} | {} | {} | {} | {} | {} |",
                list.len(),
                count(&|judged| judged.is_drift),
                count(&|judged| judged.is_drift && judged.cried),
                count(&|judged| !judged.right),
                count(&|judged| judged.wants_proposal),
                count(&|judged| judged.wants_proposal && judged.right_proposal),
                count(&|judged| judged.proposed && !judged.right_proposal),
            )
        };
        rows.extend(self.0.iter().map(|(kind, list)| row(kind, list)));
        let all: Vec<&Judged> = self.0.iter().flat_map(|(_, list)| list.iter().copied()).collect();
        rows.push(row("**all**", &all));
        rows.join("\n")
    }

    /// Makes sure that the table stands in the documentation; writes it there if `ACTIONS_UPDATE` is set.
    pub(crate) fn is_documented(&self, file: &Path) {
        let text = std::fs::read_to_string(file).expect("the page about drift");
        let begin = text.find(BEGIN).expect("a place for the table") + BEGIN.len();
        let end = text.find(END).expect("the end of the table");
        let table = format!("\n\n{}\n\n", self.table());
        if std::env::var_os("ACTIONS_UPDATE").is_some() {
            std::fs::write(file, format!("{}{table}{}", &text[..begin], &text[end..]))
                .expect("it is written");
            return;
        }
        assert_eq!(text[begin..end], table, "ACTIONS_UPDATE=1 writes the table into {}", file.display());
    }
}
