//! `$formatInteger` and `$parseInteger`: whole numbers as digits, letters, Roman numerals and English words.

mod letters;
mod picture;
mod roman;
mod words;

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime, javascript};
use crate::engine::meter::Stop;
use picture::{Case, Picture, Style};

/// The largest number that becomes a Roman numeral, which has a letter for every thousand. jsonata.js recurses for each
/// letter and fails with somewhat larger numbers.
const MAX_ROMAN: f64 = 1e7;

pub(super) fn format(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (number, picture) = (arguments.number(0)?, arguments.string(1)?);
    let (Some(number), Some(picture)) = (number, picture) else {
        return arguments.undefined_if_first_is();
    };
    let picture = Picture::parse(picture, &runtime.meter)?;
    let (number, is_negative) = (number.floor().abs(), number.floor() < 0.0);
    if matches!(picture.style, Style::Words) && !number.is_finite() {
        return Err(failed("D3130: this number cannot be written in words"));
    }
    let written = match &picture.style {
        Style::Letters => letters::write(number, picture.case),
        Style::Roman if number > MAX_ROMAN => return Err(runtime.meter.stop(Stop::Memory)),
        Style::Roman => {
            runtime.meter.charge(number as usize / 100)?;
            roman::write(number, picture.case)
        }
        Style::Words => picture.case.of(words::write(number, picture.is_ordinal)),
        Style::Digits(digits) => digits.write(number, picture.is_ordinal),
    };
    Ok(JValue::string(if is_negative { format!("-{written}") } else { written }))
}

/// Reads what is there without comparing it with the picture first, as jsonata.js does: what cannot be read is NaN.
pub(super) fn parse(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (text, picture) = (arguments.string(0)?, arguments.string(1)?);
    let (Some(text), Some(picture)) = (text, picture) else {
        return arguments.undefined_if_first_is();
    };
    let picture = Picture::parse(picture, &runtime.meter)?;
    Ok(JValue::Number(match &picture.style {
        Style::Letters => letters::read(text, picture.case),
        Style::Roman if picture.case == Case::Upper => roman::read(text),
        Style::Roman => roman::read(&text.to_uppercase()),
        Style::Words => words::read(&text.to_lowercase()),
        Style::Digits(digits) => javascript::parse_int(&digits.plain(text, picture.is_ordinal)),
    }))
}
