//! Items that went from one array to another, as `move` operations.

use std::collections::HashMap;

use serde_json::Value;

use super::entity::identity;
use super::operation::Operation;
use super::pointer::Pointer;

/// How many items are followed from array to array; beyond that they are taken out and put in.
const MAX_RELOCATIONS: usize = 100;

/// A step down into a value that stays valid when items change their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Segment {
    Member(String),
    Item { identity: &'static str, id: Value },
    Index(usize),
}

/// Where an item is.
#[derive(Clone, Debug)]
struct Home {
    /// The way to its array.
    array: Vec<Segment>,
    /// The member that tells it from its siblings.
    identity: &'static str,
}

/// Items by the name of their array and their id; those that occur twice are left out.
type Index = HashMap<(String, Value), Option<Home>>;

/// The operations that move items to the array they are in afterwards, and the state they make of `before`.
pub(super) fn relocate(before: &Value, after: &Value) -> Option<(Vec<Operation>, Value)> {
    let (old, new) = (index(before), index(after));
    let mut movers: Vec<(&Value, &Home, &Home)> = Vec::new();
    for (key, home) in &old {
        let (Some(from), Some(Some(to))) = (home, new.get(key)) else { continue };
        if from.array != to.array && from.identity == to.identity {
            movers.push((&key.1, from, to));
        }
    }
    if movers.is_empty() || movers.len() > MAX_RELOCATIONS {
        return None;
    }
    // What moves along with the item it is part of does not move by itself.
    let carried = |home: &Home| {
        home.array.iter().any(|segment| matches!(segment, Segment::Item { id, .. } if movers.iter().any(|(mover, _, _)| *mover == id)))
    };
    let mut free: Vec<(usize, &Value, &Home, &Home)> = movers
        .iter()
        .filter(|(_, from, to)| !carried(from) && !carried(to))
        .map(|(id, from, to)| (place_in(after, to, id).unwrap_or(usize::MAX), *id, *from, *to))
        .collect();
    // In the order they have afterwards each finds the one that precedes it in place.
    free.sort_by(|(a, id_a, ..), (b, id_b, ..)| {
        a.cmp(b).then_with(|| id_a.to_string().cmp(&id_b.to_string()))
    });
    let mut working = before.clone();
    let moves: Vec<Operation> = free
        .into_iter()
        .filter_map(|(_, id, from, to)| move_one(&mut working, after, id, from, to))
        .collect();
    (!moves.is_empty()).then_some((moves, working))
}

/// Moves one item within the working state; nothing happens when the array it goes to is not there yet.
fn move_one(working: &mut Value, after: &Value, id: &Value, from: &Home, to: &Home) -> Option<Operation> {
    resolve(working, &to.array)?;
    let (source, source_pointer) = resolve(working, &from.array)?;
    let place = place_of(source.as_array()?, from.identity, id)?;
    let item = source.as_array_mut()?.remove(place);
    let from_text = source_pointer.item(place);
    // The pointer to what is moved may not lead to where it goes, even where it means something else by then.
    let allowed = |pointer: &Pointer| !pointer.text().starts_with(&format!("{from_text}/"));
    let target =
        resolve(working, &to.array).filter(|(target, pointer)| target.is_array() && allowed(pointer));
    let Some((Value::Array(items), target_pointer)) = target else {
        put_back(working, from, place, item);
        return None;
    };
    let at = predecessor(after, to, id)
        .and_then(|before| place_of(items, to.identity, &before))
        .map_or(0, |place| place + 1);
    items.insert(at, item);
    Some(Operation::Move { from: from_text, path: target_pointer.item(at) })
}

fn put_back(working: &mut Value, home: &Home, place: usize, item: Value) {
    if let Some(items) = resolve(working, &home.array).and_then(|(array, _)| array.as_array_mut()) {
        items.insert(place, item);
    }
}

/// The id of the item in front of one, in the state afterwards.
fn predecessor(after: &Value, home: &Home, id: &Value) -> Option<Value> {
    let items = look(after, &home.array)?.as_array()?;
    let place = place_of(items, home.identity, id)?.checked_sub(1)?;
    items[place].get(home.identity).cloned()
}

fn place_in(state: &Value, home: &Home, id: &Value) -> Option<usize> {
    place_of(look(state, &home.array)?.as_array()?, home.identity, id)
}

fn place_of(items: &[Value], identity: &str, id: &Value) -> Option<usize> {
    items.iter().position(|item| item.get(identity) == Some(id))
}

fn look<'v>(state: &'v Value, path: &[Segment]) -> Option<&'v Value> {
    path.iter().try_fold(state, |value, segment| match segment {
        Segment::Member(name) => value.get(name),
        Segment::Index(index) => value.get(index),
        Segment::Item { identity, id } => {
            value.as_array()?.iter().find(|item| item.get(identity) == Some(id))
        }
    })
}

/// The value at the end of a path and the pointer to it.
fn resolve<'v>(state: &'v mut Value, path: &[Segment]) -> Option<(&'v mut Value, Pointer)> {
    let mut value = state;
    let mut pointer = Pointer::default();
    for segment in path {
        value = match segment {
            Segment::Member(name) => {
                pointer.enter_member(name);
                value.get_mut(name)?
            }
            Segment::Index(index) => {
                pointer.enter_item(*index);
                value.get_mut(index)?
            }
            Segment::Item { identity, id } => {
                let items = value.as_array_mut()?;
                let place = place_of(items, identity, id)?;
                pointer.enter_item(place);
                &mut items[place]
            }
        };
    }
    Some((value, pointer))
}

/// Every item with an `id` or a `key`. Names are too weak to follow an item from array to array.
fn index(state: &Value) -> Index {
    let mut index = Index::new();
    walk(state, "", &mut Vec::new(), &mut index);
    index
}

fn walk(value: &Value, name: &str, path: &mut Vec<Segment>, index: &mut Index) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                path.push(Segment::Member(name.clone()));
                walk(member, name, path, index);
                path.pop();
            }
        }
        Value::Array(items) => {
            let identity = identity(items, &[]).filter(|member| matches!(*member, "id" | "key"));
            for (place, item) in items.iter().enumerate() {
                let id = identity.and_then(|member| Some((member, item.get(member)?.clone())));
                let segment = match id {
                    Some((identity, id)) => {
                        let home = Home { array: path.clone(), identity };
                        let twice = |home: &mut Option<Home>| *home = None;
                        index.entry((name.to_owned(), id.clone())).and_modify(twice).or_insert(Some(home));
                        Segment::Item { identity, id }
                    }
                    None => Segment::Index(place),
                };
                path.push(segment);
                walk(item, name, path, index);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
