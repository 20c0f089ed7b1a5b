//! A manifest does not begin with a byte order mark.
//!
//! RFC 8259 forbids writers to add one, and many readers refuse it. It is invisible in most editors.
//!
//! Instead: save the file as "UTF-8", not as "UTF-8 with BOM".

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J004", include_str!("j004_byte_order_mark.rs"));
