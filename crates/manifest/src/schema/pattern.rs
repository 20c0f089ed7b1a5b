//! How large a regular expression becomes when it is compiled.

/// About how many states a pattern has once its repetitions are written out. The syntax is not checked: what no engine
/// compiles is counted like anything else.
pub(crate) fn states(pattern: &str) -> usize {
    let mut reader = Reader { rest: pattern, depth: 0 };
    let mut states = 0_usize;
    while !reader.rest.is_empty() {
        states = states.saturating_add(reader.alternatives());
        // A bracket too many ends the alternatives, not the pattern.
        reader.skip();
    }
    states
}

/// Groups nest at most this deep; a pattern that nests deeper is as large as can be.
const DEPTH: usize = 100;

/// The states of a class that Unicode fills, such as `\p{L}` or `.`.
const UNICODE_CLASS: usize = 100;

struct Reader<'p> {
    rest: &'p str,
    depth: usize,
}

impl Reader<'_> {
    /// Reads until the bracket that closes the group, or the end.
    fn alternatives(&mut self) -> usize {
        let mut states = 1_usize;
        while let Some(next) = self.rest.chars().next().filter(|next| *next != ')') {
            let one = self.one(next);
            let (least, most) = self.repetition();
            states = states.saturating_add(one.saturating_mul(least.max(most).max(1)));
        }
        states
    }

    /// Reads one thing that can be repeated.
    fn one(&mut self, first: char) -> usize {
        self.skip();
        match first {
            '(' if self.depth == DEPTH => {
                self.rest = "";
                usize::MAX
            }
            '(' => {
                self.depth += 1;
                let states = self.alternatives();
                self.depth -= 1;
                self.skip();
                states
            }
            '[' => self.class(),
            '\\' => {
                let escaped = self.rest.chars().next().unwrap_or_default();
                self.skip();
                if let ('p' | 'P', Some((_, rest))) =
                    (escaped, self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')))
                {
                    self.rest = rest;
                }
                if matches!(escaped, 'p' | 'P' | 'W' | 'D' | 'S') { UNICODE_CLASS } else { 1 }
            }
            '.' => UNICODE_CLASS,
            _ => 1,
        }
    }

    /// Reads a class after its opening bracket.
    fn class(&mut self) -> usize {
        let mut states = if self.rest.starts_with('^') { UNICODE_CLASS } else { 1 };
        // A bracket that closes at once belongs to the class.
        let mut first = true;
        while let Some(next) = self.rest.chars().next() {
            self.skip();
            match next {
                ']' if !first => break,
                '\\' => {
                    let wide = self.rest.starts_with(['p', 'P', 'W', 'D', 'S']);
                    states += if wide { UNICODE_CLASS } else { 1 };
                    self.skip();
                }
                _ => states += 1,
            }
            first = next == '^' && first;
        }
        states
    }

    /// Reads every repetition that follows: `a{2}{3}` repeats six times.
    fn repetition(&mut self) -> (usize, usize) {
        let (mut least, mut most) = (1_usize, 1_usize);
        loop {
            match self.rest.chars().next() {
                Some('*' | '+' | '?') => self.skip(),
                Some('{') => {
                    let Some((counts, rest)) = self.rest[1..].split_once('}') else { break };
                    let Some((from, to)) = counted(counts) else { break };
                    (least, most) = (least.saturating_mul(from), most.saturating_mul(to.max(1)));
                    self.rest = rest;
                }
                _ => break,
            }
        }
        (least, most)
    }

    fn skip(&mut self) {
        let mut rest = self.rest.chars();
        rest.next();
        self.rest = rest.as_str();
    }
}

/// The numbers of a counted repetition, such as `2`, `2,` and `2,5`. A number too large to read is as large as can be.
fn counted(counts: &str) -> Option<(usize, usize)> {
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    let number = |digits: &str| match digits.trim() {
        "" => Some(0),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(digits.parse().unwrap_or(usize::MAX))
        }
        _ => None,
    };
    Some((number(least)?, number(most)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_written_out() {
        assert!(states("^[a-z0-9-]+$") < 20);
        assert!((100..120).contains(&states("a{100}")));
        assert!((10_000..12_000).contains(&states("(a{100}){2,100}")));
        assert!((600..620).contains(&states("a{20}{30}")));
        assert_eq!(states("((((a{99999}){99999}){99999}){99999}){99999}"), usize::MAX);
        assert!(states(r"\p{L}{10}") > 900);
    }

    #[test]
    fn what_is_no_repetition_is_taken_as_text() {
        assert!(states("a{x}{,}") < 10);
        assert!(states("[]{100}]") < 12);
        assert!(states(r"\{100}") < 10);
        assert!((100..120).contains(&states(")a{100}(")));
    }

    #[test]
    fn a_pattern_that_nests_without_end_is_as_large_as_can_be() {
        assert_eq!(states(&"(".repeat(1_000_000)), usize::MAX);
    }
}
