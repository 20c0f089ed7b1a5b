//! A change in terms of entities and their fields.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::alignment::Alignment;
use super::entity::Entity;
use super::pointer::Pointer;

/// One thing that happened to an entity.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    /// It is new.
    EntityAdded {
        /// What.
        entity: Entity,
        /// The entity it is part of.
        #[serde(rename = "in")]
        within: Entity,
        /// Where it is, as a JSON pointer into the state after.
        path: String,
        /// What it is like.
        after: Value,
    },
    /// It is gone.
    EntityRemoved {
        /// What.
        entity: Entity,
        /// The entity it was part of.
        #[serde(rename = "in")]
        within: Entity,
        /// Where it was, as a JSON pointer into the state before.
        path: String,
        /// What it was like.
        before: Value,
    },
    /// It changed its order among its siblings, or the entity it is part of.
    EntityMoved {
        /// What.
        entity: Entity,
        /// Where it was.
        before: Place,
        /// Where it is.
        after: Place,
    },
    /// A field of it has another value.
    FieldChanged {
        /// What it belongs to.
        entity: Entity,
        /// The field, with dots between the members on the way to it.
        field: String,
        /// Where it is, as a JSON pointer into the state after; where it was, if it is gone.
        path: String,
        /// Its value; absent when it is new.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Value>,
        /// Its value; absent when it is gone.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Value>,
    },
}

/// Where an entity is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The entity it is part of.
    #[serde(rename = "in")]
    pub within: Entity,
    /// Its place among its siblings, from 0.
    pub index: usize,
    /// The JSON pointer.
    pub path: String,
}

/// Everything that happened between two states.
pub(super) fn between(before: &Value, after: &Value) -> Vec<Delta> {
    let mut walker = Walker::default();
    walker.value(&Entity::state(), "", before, after);
    walker.follow();
    walker.deltas
}

/// An item that came or went.
struct Arrival {
    entity: Entity,
    place: Place,
    item: Value,
    /// Where its delta stands.
    delta: usize,
}

#[derive(Default)]
struct Walker {
    deltas: Vec<Delta>,
    was_at: Pointer,
    is_at: Pointer,
    came: Vec<Arrival>,
    went: Vec<Arrival>,
}

impl Walker {
    fn value(&mut self, owner: &Entity, field: &str, before: &Value, after: &Value) {
        if before == after {
            return;
        }
        match (before, after) {
            (Value::Object(was), Value::Object(is)) => self.object(owner, field, was, is),
            (Value::Array(was), Value::Array(is)) => self.array(owner, field, was, is),
            _ => self.field(owner, field, Some(before), Some(after)),
        }
    }

    fn field(&mut self, owner: &Entity, field: &str, before: Option<&Value>, after: Option<&Value>) {
        let path = if after.is_some() { self.is_at.text() } else { self.was_at.text() };
        self.deltas.push(Delta::FieldChanged {
            entity: owner.clone(),
            field: field.to_owned(),
            path,
            before: before.cloned(),
            after: after.cloned(),
        });
    }

    fn object(&mut self, owner: &Entity, field: &str, was: &Map<String, Value>, is: &Map<String, Value>) {
        let gone = was.iter().map(|(name, before)| (name, Some(before), is.get(name)));
        let new = is
            .iter()
            .filter(|(name, _)| !was.contains_key(*name))
            .map(|(name, after)| (name, None, Some(after)));
        for (name, before, after) in gone.chain(new) {
            let inner = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            let marks = (self.was_at.enter_member(name), self.is_at.enter_member(name));
            match (before, after) {
                (Some(before), Some(after)) => self.value(owner, &inner, before, after),
                (before, after) => self.field(owner, &inner, before, after),
            }
            self.was_at.leave(marks.0);
            self.is_at.leave(marks.1);
        }
    }

    fn array(&mut self, owner: &Entity, field: &str, was: &[Value], is: &[Value]) {
        let name = array_name(field);
        let alignment = Alignment::of(was, is);
        let entity = |item: &Value| Entity::item(name, alignment.identity, item);
        for &index in &alignment.removed {
            let place = Place { within: owner.clone(), index, path: self.was_at.item(index) };
            self.went(entity(&was[index]), place, &was[index]);
        }
        for &index in &alignment.added {
            let place = Place { within: owner.clone(), index, path: self.is_at.item(index) };
            self.came(entity(&is[index]), place, &is[index]);
        }
        for &(old, new) in &alignment.pairs {
            if alignment.moved.binary_search(&new).is_ok() {
                let place = |index, path| Place { within: owner.clone(), index, path };
                self.deltas.push(Delta::EntityMoved {
                    entity: entity(&is[new]),
                    before: place(old, self.was_at.item(old)),
                    after: place(new, self.is_at.item(new)),
                });
            }
            let marks = (self.was_at.enter_item(old), self.is_at.enter_item(new));
            match is[new].is_object() && was[old].is_object() {
                true => self.value(&entity(&is[new]), "", &was[old], &is[new]),
                false => self.value(owner, &format!("{field}.{new}"), &was[old], &is[new]),
            }
            self.was_at.leave(marks.0);
            self.is_at.leave(marks.1);
        }
    }

    fn went(&mut self, entity: Entity, place: Place, item: &Value) {
        let delta = self.deltas.len();
        let (within, path) = (place.within.clone(), place.path.clone());
        self.deltas.push(Delta::EntityRemoved { entity: entity.clone(), within, path, before: item.clone() });
        self.went.push(Arrival { entity, place, item: item.clone(), delta });
    }

    fn came(&mut self, entity: Entity, place: Place, item: &Value) {
        let delta = self.deltas.len();
        let (within, path) = (place.within.clone(), place.path.clone());
        self.deltas.push(Delta::EntityAdded { entity: entity.clone(), within, path, after: item.clone() });
        self.came.push(Arrival { entity, place, item: item.clone(), delta });
    }

    /// Takes an entity that went from one array and came to another for one that moved.
    fn follow(&mut self) {
        let mut came: HashMap<(String, Value), Option<Arrival>> = HashMap::new();
        for new in std::mem::take(&mut self.came) {
            let Some(id) = new.entity.id.clone() else { continue };
            let twice = |known: &mut Option<Arrival>| *known = None;
            came.entry((new.entity.kind.clone(), id)).and_modify(twice).or_insert(Some(new));
        }
        let mut dropped = HashSet::new();
        for old in std::mem::take(&mut self.went) {
            let Some(id) = old.entity.id.clone() else { continue };
            let Some(new) = came.remove(&(old.entity.kind.clone(), id)).flatten() else { continue };
            dropped.insert(old.delta);
            let mut inner = Walker {
                was_at: Pointer::from_text(&old.place.path),
                is_at: Pointer::from_text(&new.place.path),
                ..Walker::default()
            };
            inner.value(&new.entity, "", &old.item, &new.item);
            self.deltas[new.delta] =
                Delta::EntityMoved { entity: new.entity, before: old.place, after: new.place };
            self.deltas.append(&mut inner.deltas);
        }
        let mut number = 0..;
        self.deltas.retain(|_| number.next().is_none_or(|number| !dropped.contains(&number)));
    }
}

/// The member an array stands in, by which its items are called; items of arrays within arrays are called the same.
fn array_name(field: &str) -> &str {
    let is_index = |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    field.rsplit('.').find(|segment| !is_index(segment)).unwrap_or_default()
}
