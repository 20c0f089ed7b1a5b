//! Finds the items of a list that can stay in place when it is reordered.

/// Marks the members of a longest increasing subsequence.
///
/// What is not marked is the least that has to be moved to bring the values into order.
pub(super) fn longest_increasing(values: &[usize]) -> Vec<bool> {
    // `tails[n]` is where the best subsequence of n + 1 values found so far ends; `before[i]` is what precedes i in it.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let at = tails.partition_point(|tail| values[*tail] < *value);
        before.push(at.checked_sub(1).map(|previous| tails[previous]));
        match tails.get_mut(at) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut marked = vec![false; values.len()];
    let mut next = tails.last().copied();
    while let Some(index) = next {
        marked[index] = true;
        next = before[index];
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_possible_stay_in_place() {
        let kept = |values: &[usize]| -> Vec<usize> {
            let marked = longest_increasing(values);
            values.iter().zip(marked).filter(|(_, kept)| *kept).map(|(value, _)| *value).collect()
        };
        assert_eq!(kept(&[]), [0usize; 0]);
        assert_eq!(kept(&[4, 0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(kept(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(kept(&[3, 2, 1, 0]).len(), 1);
        assert_eq!(kept(&[0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]).len(), 6);
    }
}
