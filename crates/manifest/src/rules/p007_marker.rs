//! A marker has an id of its own and a recipe that leads to it.
//!
//! A recipe goes to a place in the page; it has at least one step, and only steps that move, look or type: `keyboard.press`,
//! `pointer.click`, `pointer.double_click`, `pointer.move`, `locator.element_info`, `locator.wait_for`, `text.insert`,
//! `text.type` and `viewport.scroll`.
//!
//! Breaks the rule:
//! ```json
//! { "id": "end", "type": "cursor", "recipe": [] }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "end", "type": "cursor", "recipe": [{ "primitive": "keyboard.press", "args": { "key": "Control+End" } }] }
//! ```

use actions_dictionary::Dictionary;

use crate::document::{Kind, Node, Spot};
use crate::finding::Report;
use crate::lower::{listed, subject as named};
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{UsedAs, repeated};

pub(super) static RULE: Rule = Rule::error("P007", include_str!("p007_marker.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for markers in subject.view.projections.iter().filter_map(|projection| projection.markers) {
        for (name, second, first) in repeated(markers.elements().filter_map(|marker| marker.get("id"))) {
            report
                .find(&RULE, second, format!("a second marker has the id `{name}`"))
                .help("give each its own id")
                .related(first, "the first one");
        }
        for marker in markers.elements() {
            let Some(recipe) = marker.get("recipe").filter(|recipe| is_empty(*recipe)) else { continue };
            report
                .find(&RULE, Spot::Value(recipe), format!("the recipe of {} is empty", named(marker)))
                .help("add the steps that lead to the place");
        }
    }
    for used in subject.view.primitives.iter().filter(|used| used.used_as == UsedAs::RecipeStep) {
        if used.primitive().is_none_or(|primitive| primitive.recipe_step) {
            continue;
        }
        let allowed = Dictionary::builtin().names_where(|primitive| primitive.recipe_step);
        report
            .find(&RULE, used.at, format!("a recipe may not use `{}`", used.name))
            .help(format!("one of {}", listed(&allowed)));
    }
}

fn is_empty(recipe: Node<'_>) -> bool {
    recipe.kind() == Kind::Array && recipe.elements().len() == 0
}
