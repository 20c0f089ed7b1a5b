//! Groups of digits in the pictures of `$formatInteger` and `$formatNumber`.

/// The distance of separators that are equally far apart, by the number of digits behind each.
pub(super) fn distance(places: &[usize]) -> Option<usize> {
    let distance = places.iter().copied().reduce(greatest_divisor).filter(|distance| *distance > 0)?;
    (1..=places.len()).all(|count| places.contains(&(count * distance))).then_some(distance)
}

fn greatest_divisor(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
