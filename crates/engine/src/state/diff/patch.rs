//! The JSON Patch from one state to another.

use serde_json::{Map, Value};

use super::alignment::Alignment;
use super::bytes::{bytes, is_below};
use super::operation::Operation;
use super::pointer::Pointer;
use super::relocation::relocate;

/// How often an item may be looked for while others are moved; beyond that the array is replaced.
const MAX_LOOKS: usize = 50_000_000;

/// A patch that turns `before` into `after`, at most a tenth larger than replacing everything.
pub(super) fn between(before: &Value, after: &Value) -> Vec<Operation> {
    let direct = Writer::default().write(before, after);
    let Some((moves, working)) = relocate(before, after) else { return direct.operations };
    let mut by_moves = Writer::default();
    moves.into_iter().for_each(|operation| by_moves.push(operation));
    let by_moves = by_moves.write(&working, after);
    if by_moves.bytes <= direct.bytes { by_moves.operations } else { direct.operations }
}

/// Writes operations down and keeps count of their bytes.
#[derive(Default)]
struct Writer {
    operations: Vec<Operation>,
    bytes: usize,
    at: Pointer,
}

impl Writer {
    fn write(mut self, before: &Value, after: &Value) -> Self {
        self.value(before, after);
        self
    }

    fn push(&mut self, operation: Operation) {
        self.bytes += bytes(&operation) + ",".len();
        self.operations.push(operation);
    }

    /// Brings a value about, by changes within it unless replacing it is clearly shorter.
    fn value(&mut self, before: &Value, after: &Value) {
        let (count, size) = (self.operations.len(), self.bytes);
        match (before, after) {
            (Value::Object(before), Value::Object(after)) => self.object(before, after),
            (Value::Array(before), Value::Array(after)) => {
                if !self.array(before, after) {
                    return self.replace(Value::Array(after.clone()));
                }
            }
            _ if before == after => {}
            _ => return self.replace(after.clone()),
        }
        let spent = self.bytes - size;
        let around = bytes(&Operation::Replace { path: self.at.text(), value: Value::Null }) - "null".len();
        // Changes within tell more than a whole new value; they may be a tenth longer for it.
        let worth = (spent * 10).div_ceil(11);
        if worth > around && is_below(after, worth - around) {
            self.operations.truncate(count);
            self.bytes = size;
            self.replace(after.clone());
        }
    }

    fn replace(&mut self, value: Value) {
        self.push(Operation::Replace { path: self.at.text(), value });
    }

    fn object(&mut self, before: &Map<String, Value>, after: &Map<String, Value>) {
        for (name, was) in before {
            match after.get(name) {
                Some(is) => self.in_member(name, was, is),
                None => {
                    let path = self.at.member(name);
                    self.push(Operation::Remove { path });
                }
            }
        }
        for (name, is) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            let path = self.at.member(name);
            self.push(Operation::Add { path, value: is.clone() });
        }
    }

    /// Takes out what is gone, puts in what is new, moves what changed its order, then goes into what stayed. False
    /// when that would take too long.
    fn array(&mut self, before: &[Value], after: &[Value]) -> bool {
        let alignment = Alignment::of(before, after);
        if alignment.moved.len().saturating_mul(after.len()) > MAX_LOOKS {
            return false;
        }
        for place in alignment.removed.iter().rev() {
            let path = self.at.item(*place);
            self.push(Operation::Remove { path });
        }
        self.arrange(&alignment, after);
        for (was, is) in alignment.pairs {
            self.in_item(is, &before[was], &after[is]);
        }
        true
    }

    /// Puts in and moves items from left to right, each behind the one that precedes it.
    fn arrange(&mut self, alignment: &Alignment, after: &[Value]) {
        if alignment.added.is_empty() && alignment.moved.is_empty() {
            return;
        }
        // What the array looks like by now: each item by the place it shall have.
        let mut present: Vec<(usize, usize)> = alignment.pairs.clone();
        present.sort_unstable();
        let mut present: Vec<usize> = present.into_iter().map(|(_, is)| is).collect();
        let mut added = alignment.added.iter().copied().peekable();
        let mut moved = alignment.moved.iter().copied().peekable();
        // Everything in front of `next` that does not move any more is in place.
        let mut next = 0;
        for (place, item) in after.iter().enumerate() {
            if added.next_if_eq(&place).is_some() {
                present.insert(next, place);
                let path = self.at.item(next);
                self.push(Operation::Add { path, value: item.clone() });
                next += 1;
            } else if moved.next_if_eq(&place).is_some() {
                let Some(from) = present.iter().position(|other| *other == place) else { continue };
                present.remove(from);
                if from < next {
                    next -= 1;
                }
                present.insert(next, place);
                if from != next {
                    let (from, path) = (self.at.item(from), self.at.item(next));
                    self.push(Operation::Move { from, path });
                }
                next += 1;
            } else {
                while present.get(next).is_some_and(|other| *other != place) {
                    next += 1;
                }
                next += 1;
            }
        }
    }

    fn in_member(&mut self, name: &str, was: &Value, is: &Value) {
        let mark = self.at.enter_member(name);
        self.value(was, is);
        self.at.leave(mark);
    }

    fn in_item(&mut self, index: usize, was: &Value, is: &Value) {
        let mark = self.at.enter_item(index);
        self.value(was, is);
        self.at.leave(mark);
    }
}
