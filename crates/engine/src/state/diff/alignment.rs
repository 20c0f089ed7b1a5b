//! Which items of two arrays are the same.

use std::collections::HashMap;

use serde_json::Value;

use super::entity::identity;
use super::increasing::longest_increasing;

/// The largest table of comparisons that is filled in for items without identity.
const MAX_CELLS: usize = 1_000_000;

/// Which items of two arrays are the same: by identity (`id`, `key`, `name` or `title`), else by their value, and what
/// stands between equal values by its order.
#[derive(Debug, Default)]
pub(super) struct Alignment {
    /// The member that tells the items apart.
    pub(super) identity: Option<&'static str>,
    /// Places of the same item before and after, in the order of the array after.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Places of items that are gone, in the array before.
    pub(super) removed: Vec<usize>,
    /// Places of items that are new, in the array after.
    pub(super) added: Vec<usize>,
    /// Places of items that changed their order, in the array after; as few as possible.
    pub(super) moved: Vec<usize>,
}

impl Alignment {
    pub(super) fn of(before: &[Value], after: &[Value]) -> Self {
        match identity(before, after) {
            Some(member) => Self::by_identity(member, before, after),
            None => Self::by_value(before, after),
        }
    }

    fn by_identity(member: &'static str, before: &[Value], after: &[Value]) -> Self {
        let places: HashMap<&Value, usize> =
            before.iter().enumerate().filter_map(|(place, item)| Some((item.get(member)?, place))).collect();
        let mut alignment = Self { identity: Some(member), ..Self::default() };
        let mut kept = vec![false; before.len()];
        for (place, item) in after.iter().enumerate() {
            match item.get(member).and_then(|id| places.get(id)) {
                Some(&was) => {
                    kept[was] = true;
                    alignment.pairs.push((was, place));
                }
                None => alignment.added.push(place),
            }
        }
        alignment.removed = (0..before.len()).filter(|place| !kept[*place]).collect();
        let order: Vec<usize> = alignment.pairs.iter().map(|(was, _)| *was).collect();
        let stays = longest_increasing(&order);
        alignment.moved =
            alignment.pairs.iter().zip(stays).filter(|(_, stays)| !stays).map(|((_, is), _)| *is).collect();
        alignment
    }

    fn by_value(before: &[Value], after: &[Value]) -> Self {
        let mut alignment = Self::default();
        let (mut was, mut is) = (0, 0);
        let ends = (before.len(), after.len());
        for (next_was, next_is) in common(before, after).into_iter().chain([ends]) {
            // Between two items that are equal, the others are taken for each other in order.
            while was < next_was && is < next_is {
                alignment.pairs.push((was, is));
                (was, is) = (was + 1, is + 1);
            }
            alignment.removed.extend(was..next_was);
            alignment.added.extend(is..next_is);
            if (next_was, next_is) != ends {
                alignment.pairs.push((next_was, next_is));
            }
            (was, is) = (next_was + 1, next_is + 1);
        }
        alignment
    }
}

/// Places of a longest common subsequence.
fn common(before: &[Value], after: &[Value]) -> Vec<(usize, usize)> {
    let head = before.iter().zip(after).take_while(|(was, is)| was == is).count();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(was, is)| was == is).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|place| (place, place)).collect();
    if old.len() * new.len() <= MAX_CELLS {
        pairs.extend(common_middle(old, new).into_iter().map(|(was, is)| (head + was, head + is)));
    }
    pairs.extend((0..tail).map(|place| (head + old.len() + place, head + new.len() + place)));
    pairs
}

/// The same by a table of the lengths of common subsequences, from the end.
fn common_middle(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    let mut numbers: HashMap<&Value, usize> = HashMap::new();
    let mut number = |value| {
        let next = numbers.len();
        *numbers.entry(value).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(&mut number).collect();
    let new: Vec<usize> = new.iter().map(&mut number).collect();
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for was in (0..old.len()).rev() {
        for is in (0..new.len()).rev() {
            lengths[was * width + is] = match old[was] == new[is] {
                true => lengths[(was + 1) * width + is + 1] + 1,
                false => lengths[(was + 1) * width + is].max(lengths[was * width + is + 1]),
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut was, mut is) = (0, 0);
    while was < old.len() && is < new.len() {
        if old[was] == new[is] {
            pairs.push((was, is));
            (was, is) = (was + 1, is + 1);
        } else if lengths[(was + 1) * width + is] >= lengths[was * width + is + 1] {
            was += 1;
        } else {
            is += 1;
        }
    }
    pairs
}
