//! The order of the keys of a JavaScript object: whole numbers first, by their size, then the others as they were added.

/// The number that JavaScript takes a key for, if it takes it for one.
fn array_index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok().filter(|number| *number != u32::MAX)?;
    (number.to_string() == key).then_some(number)
}

/// Puts members into the order of JavaScript.
pub(super) fn put_in_order<T>(members: &mut [T], key: impl Fn(&T) -> &str) {
    if members.iter().any(|member| array_index(key(member)).is_some()) {
        members.sort_by_key(|member| array_index(key(member)).map_or(u64::MAX, u64::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_come_first_by_size() {
        let mut keys = ["b", "10", "2", "02", "-1", "4294967295", "a", "1.5", "0"];
        put_in_order(&mut keys, |key| key);
        assert_eq!(keys, ["0", "2", "10", "b", "02", "-1", "4294967295", "a", "1.5"]);
    }
}
