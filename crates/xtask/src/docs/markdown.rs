//! Reads from Markdown what the link check needs: headings, links, and code that names a file.

/// Something found on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) line: usize,
    pub(super) text: String,
}

/// What a document contains outside of code blocks.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// The anchor of every heading.
    pub(super) anchors: Vec<String>,
    /// The target of every link and image.
    pub(super) links: Vec<Found>,
    /// Every code span.
    pub(super) code: Vec<Found>,
}

impl Markdown {
    /// Reads a document. Handles the Markdown that this repository uses, not all of CommonMark.
    pub(super) fn read(text: &str) -> Self {
        let mut markdown = Self::default();
        let mut fence: Option<&str> = None;
        for (index, line) in text.lines().enumerate() {
            let start = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
            match (fence, mark) {
                (Some(open), Some(mark)) if open == mark => fence = None,
                (None, Some(mark)) => fence = Some(mark),
                (None, None) if !line.starts_with("    ") => markdown.read_line(index + 1, line),
                _ => {}
            }
        }
        markdown
    }

    fn read_line(&mut self, line: usize, text: &str) {
        if let Some(title) = heading(text) {
            self.add_anchor(title);
        }
        let mut prose = String::new();
        for (index, part) in text.split('`').enumerate() {
            if index.is_multiple_of(2) {
                prose += part;
            } else {
                self.code.push(Found { line, text: part.to_owned() });
            }
        }
        for rest in prose.split("](").skip(1) {
            let target = rest.split([')', ' ']).next().unwrap_or_default();
            self.links.push(Found { line, text: target.to_owned() });
        }
        let definition = prose.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        if let Some((_, target)) = definition {
            self.links.push(Found { line, text: target.trim().to_owned() });
        }
    }

    /// Adds the anchor of a heading; one that was there before gets a number, as GitHub and mdBook do it.
    fn add_anchor(&mut self, title: &str) {
        let anchor = anchor(title);
        let same = |other: &&String| {
            let rest = other.strip_prefix(anchor.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
        };
        match self.anchors.iter().filter(same).count() {
            0 => self.anchors.push(anchor),
            count => self.anchors.push(format!("{anchor}-{count}")),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    if (1..=6).contains(&level) { rest.strip_prefix(' ') } else { None }
}

fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_code_are_found_outside_of_code_blocks() {
        let text = "# A `b.c` d\n[x](y.md#z) and `[no](link)`\n```text\n[no](link)\n```\n    [no](link)\n[r]: s.md\n";
        let markdown = Markdown::read(text);
        assert_eq!(markdown.anchors, ["a-bc-d"]);
        let links: Vec<_> = markdown.links.iter().map(|link| (link.line, link.text.as_str())).collect();
        assert_eq!(links, [(2, "y.md#z"), (7, "s.md")]);
        let code: Vec<_> = markdown.code.iter().map(|code| code.text.as_str()).collect();
        assert_eq!(code, ["b.c", "[no](link)"]);
    }

    #[test]
    fn a_repeated_heading_gets_a_numbered_anchor() {
        let markdown = Markdown::read("# Use\n## Use\n### Use it\n");
        assert_eq!(markdown.anchors, ["use", "use-1", "use-it"]);
    }
}
