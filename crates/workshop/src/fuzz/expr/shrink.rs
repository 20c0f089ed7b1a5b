//! Makes a difference small enough to read.

use serde_json::Value;

use super::tree::{Piece, Tree};

/// How many smaller forms are tried before the smallest one found is taken.
const TRIES: usize = 1_500;

/// The smallest expression and scope found that still differ.
pub fn shrink(
    mut tree: Tree,
    mut scope: Value,
    mut differs: impl FnMut(&str, &Value) -> bool,
) -> (Tree, Value) {
    let mut tries = 0;
    'again: loop {
        for smaller in smaller_trees(&tree) {
            tries += 1;
            if tries > TRIES {
                return (tree, scope);
            }
            if differs(&smaller.source(), &scope) {
                tree = smaller;
                continue 'again;
            }
        }
        for smaller in smaller_values(&scope) {
            tries += 1;
            if tries > TRIES {
                return (tree, scope);
            }
            if differs(&tree.source(), &smaller) {
                scope = smaller;
                continue 'again;
            }
        }
        return (tree, scope);
    }
}

/// Every tree with one expression replaced by one of its own parts or by something simple.
fn smaller_trees(tree: &Tree) -> Vec<Tree> {
    let mut smaller: Vec<Tree> = tree.children().cloned().collect();
    let own = tree.source();
    for simple in tree.kind.simplest() {
        if simple.len() < own.len() {
            smaller.push(Tree::leaf(tree.kind, *simple));
        }
    }
    for (index, piece) in tree.pieces.iter().enumerate() {
        let Piece::Child(child) = piece else { continue };
        for replacement in smaller_trees(child) {
            let mut changed = tree.clone();
            let is_refined = matches!(tree.pieces.get(index + 1), Some(Piece::Text(next)) if next.starts_with(['[', '^', '.', '#', '@', '{']));
            changed.pieces[index] =
                Piece::Child(if is_refined { replacement.in_brackets() } else { replacement });
            smaller.push(changed);
        }
    }
    smaller
}

/// Every value with one member or item left out, or one made simpler.
fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let mut smaller = Vec::new();
            for key in members.keys() {
                let mut without = members.clone();
                without.shift_remove(key);
                smaller.push(Value::Object(without));
            }
            for (key, member) in members {
                for changed in smaller_values(member) {
                    let mut with = members.clone();
                    with.insert(key.clone(), changed);
                    smaller.push(Value::Object(with));
                }
            }
            smaller
        }
        Value::Array(items) => {
            let mut smaller = Vec::new();
            for index in 0..items.len() {
                let mut without = items.clone();
                without.remove(index);
                smaller.push(Value::Array(without));
            }
            for (index, item) in items.iter().enumerate() {
                for changed in smaller_values(item) {
                    let mut with = items.clone();
                    with[index] = changed;
                    smaller.push(Value::Array(with));
                }
            }
            smaller
        }
        _ => Vec::new(),
    }
}
