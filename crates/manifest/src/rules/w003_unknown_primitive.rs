//! A step names a primitive of the dictionary.
//!
//! Steps, `after_each` and the recipes of markers run primitives and nothing else, so a name that is not in the
//! dictionary could only fail. A tool's `handler` may as well be a function of the page; it is reported, as a warning,
//! when it looks like a primitive that is misspelt.
//!
//! Breaks the rule:
//! ```json
//! { "id": "click", "primitive": "pointer.clik", "args": { "x": 10, "y": 10 } }
//! ```
//!
//! Instead: take a name `actions primitives` lists, here `pointer.click`.

use actions_dictionary::Dictionary;

use crate::finding::Report;
use crate::rule::{Rule, Severity};
use crate::view::Subject;
use crate::view::UsedAs;

pub(super) static RULE: Rule = Rule::error("W003", include_str!("w003_unknown_primitive.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let dictionary = Dictionary::builtin();
    for used in subject.view.primitives.iter().filter(|used| !dictionary.contains(used.name)) {
        let near = dictionary.closest(used.name);
        match used.used_as {
            UsedAs::Step | UsedAs::AfterEach | UsedAs::RecipeStep => {
                let help = near.map(|near| format!("did you mean `{near}`?"));
                report
                    .find(&RULE, used.at, format!("there is no primitive `{}`", used.name))
                    .help(help.unwrap_or_else(|| "`actions primitives` lists them".to_owned()));
            }
            UsedAs::Handler => {
                let Some(near) = near.filter(|near| family(near) == family(used.name)) else { continue };
                report
                    .find(&RULE, used.at, format!("the handler `{}` is no primitive", used.name))
                    .severity(Severity::Warning)
                    .help(format!(
                        "did you mean `{near}`? A function of the page needs no primitive's family"
                    ));
            }
            UsedAs::Opens => {}
        }
    }
}

fn family(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}
