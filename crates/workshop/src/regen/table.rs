//! A table in Markdown.

/// A table: the names of its columns, and rows of as many cells.
pub(super) fn table<const COLUMNS: usize>(
    columns: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut table = line(&columns.map(str::to_owned));
    table += &line(&[const { "---" }; COLUMNS].map(str::to_owned));
    // A bar would end its cell, even inside of code.
    rows.for_each(|row| table += &line(&row.map(|cell| cell.replace('|', "\\|"))));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_stays_within_its_cell() {
        let text = table(["a", "b"], [["x|y".to_owned(), String::new()]].into_iter());
        assert_eq!(text, "| a | b |\n| --- | --- |\n| x\\|y |  |\n");
    }
}
