//! The key table of a US keyboard: names, codes and virtual key codes.

use actions_browser::{Key, Modifiers};

use crate::modifiers::CONTROL_OR_META;

/// Keys that type no character: name, code and virtual key code.
const NAMED: &[(&str, &str, i64)] = &[
    ("Escape", "Escape", 27),
    ("Tab", "Tab", 9),
    ("Enter", "Enter", 13),
    ("Backspace", "Backspace", 8),
    ("Delete", "Delete", 46),
    ("Insert", "Insert", 45),
    ("Home", "Home", 36),
    ("End", "End", 35),
    ("PageUp", "PageUp", 33),
    ("PageDown", "PageDown", 34),
    ("ArrowLeft", "ArrowLeft", 37),
    ("ArrowUp", "ArrowUp", 38),
    ("ArrowRight", "ArrowRight", 39),
    ("ArrowDown", "ArrowDown", 40),
    ("CapsLock", "CapsLock", 20),
    ("ContextMenu", "ContextMenu", 93),
    ("PrintScreen", "PrintScreen", 44),
    ("ScrollLock", "ScrollLock", 145),
    ("Pause", "Pause", 19),
    ("NumLock", "NumLock", 144),
    ("Shift", "ShiftLeft", 16),
    ("Control", "ControlLeft", 17),
    ("Alt", "AltLeft", 18),
    ("Meta", "MetaLeft", 91),
    ("F1", "F1", 112),
    ("F2", "F2", 113),
    ("F3", "F3", 114),
    ("F4", "F4", 115),
    ("F5", "F5", 116),
    ("F6", "F6", 117),
    ("F7", "F7", 118),
    ("F8", "F8", 119),
    ("F9", "F9", 120),
    ("F10", "F10", 121),
    ("F11", "F11", 122),
    ("F12", "F12", 123),
    ("F13", "F13", 124),
    ("F14", "F14", 125),
    ("F15", "F15", 126),
    ("F16", "F16", 127),
    ("F17", "F17", 128),
    ("F18", "F18", 129),
    ("F19", "F19", 130),
    ("F20", "F20", 131),
    ("F21", "F21", 132),
    ("F22", "F22", 133),
    ("F23", "F23", 134),
    ("F24", "F24", 135),
    ("Clear", "NumpadClear", 12),
    ("Help", "Help", 47),
    ("MediaTrackNext", "MediaTrackNext", 176),
    ("MediaTrackPrevious", "MediaTrackPrevious", 177),
    ("MediaStop", "MediaStop", 178),
    ("MediaPlayPause", "MediaPlayPause", 179),
    ("AudioVolumeMute", "AudioVolumeMute", 173),
    ("AudioVolumeDown", "AudioVolumeDown", 174),
    ("AudioVolumeUp", "AudioVolumeUp", 175),
    ("BrowserBack", "BrowserBack", 166),
    ("BrowserForward", "BrowserForward", 167),
    ("BrowserRefresh", "BrowserRefresh", 168),
    ("BrowserStop", "BrowserStop", 169),
    ("BrowserSearch", "BrowserSearch", 170),
    ("BrowserFavorites", "BrowserFavorites", 171),
    ("BrowserHome", "BrowserHome", 172),
    ("LaunchMail", "LaunchMail", 180),
    ("LaunchMediaPlayer", "MediaSelect", 181),
];

/// Keys that exist twice on a keyboard and are named by their place: code, `key` of the event, and virtual key code.
const PLACED: &[(&str, &str, i64)] = &[
    ("ShiftLeft", "Shift", 16),
    ("ControlLeft", "Control", 17),
    ("AltLeft", "Alt", 18),
    ("MetaLeft", "Meta", 91),
    ("ShiftRight", "Shift", 16),
    ("ControlRight", "Control", 17),
    ("AltRight", "Alt", 18),
    ("MetaRight", "Meta", 92),
    ("Numpad0", "0", 96),
    ("Numpad1", "1", 97),
    ("Numpad2", "2", 98),
    ("Numpad3", "3", 99),
    ("Numpad4", "4", 100),
    ("Numpad5", "5", 101),
    ("Numpad6", "6", 102),
    ("Numpad7", "7", 103),
    ("Numpad8", "8", 104),
    ("Numpad9", "9", 105),
    ("NumpadMultiply", "*", 106),
    ("NumpadAdd", "+", 107),
    ("NumpadSubtract", "-", 109),
    ("NumpadDecimal", ".", 110),
    ("NumpadDivide", "/", 111),
    ("NumpadEqual", "=", 187),
    ("NumpadEnter", "Enter", 13),
];

/// Other names that maps may use.
const ALIASES: &[(&str, &str)] = &[
    ("Esc", "Escape"),
    ("Return", "Enter"),
    ("Del", "Delete"),
    ("Ins", "Insert"),
    ("Left", "ArrowLeft"),
    ("Right", "ArrowRight"),
    ("Up", "ArrowUp"),
    ("Down", "ArrowDown"),
    ("Space", " "),
    ("Spacebar", " "),
    ("Plus", "+"),
    ("Ctrl", "Control"),
    ("Option", "Alt"),
    ("Cmd", "Meta"),
    ("Command", "Meta"),
    ("ControlOrMeta", CONTROL_OR_META),
];

/// Punctuation: plain, shifted, code and virtual key code.
const MARKS: &[(char, char, &str, i64)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

/// The characters that Shift and the digits 0 to 9 type.
const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

/// Finds a key by its name or its code, ignoring case, or by its character.
pub(crate) fn named(name: &str) -> Option<Key> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|(_, name)| *name);
    let name = alias.unwrap_or(name);
    if let Some((key, code, key_code)) = NAMED.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name)) {
        let text = (*key == "Enter").then(|| "\r".to_owned());
        let location = i64::from(matches!(*key, "Shift" | "Control" | "Alt" | "Meta"));
        return Some(Key {
            key: (*key).to_owned(),
            code: (*code).to_owned(),
            key_code: *key_code,
            text,
            location,
            keypad: code.starts_with("Numpad"),
            ..Key::default()
        });
    }
    if let Some((code, key, key_code)) = PLACED.iter().find(|(code, ..)| code.eq_ignore_ascii_case(name)) {
        return Some(placed(code, key, *key_code));
    }
    if name.eq_ignore_ascii_case("AltGraph") {
        return Some(placed("AltRight", "AltGraph", 225));
    }
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => {
            Some(key_for_char(character).map_or_else(|| bare(character), |(key, _)| key))
        }
        _ => char_of_code(name).and_then(key_for_char).map(|(key, _)| key),
    }
}

/// The character that the key with a code types without Shift, such as `a` for `KeyA` and `5` for `Digit5`.
fn char_of_code(code: &str) -> Option<char> {
    let code = code.to_ascii_lowercase();
    let single = |text: &str| text.parse::<char>().ok();
    if let Some(letter) = code.strip_prefix("key").and_then(single).filter(char::is_ascii_lowercase) {
        return Some(letter);
    }
    if let Some(digit) = code.strip_prefix("digit").and_then(single).filter(char::is_ascii_digit) {
        return Some(digit);
    }
    MARKS.iter().find(|(_, _, mark, _)| mark.eq_ignore_ascii_case(&code)).map(|(plain, ..)| *plain)
}

/// The character that a key types with Shift.
pub(crate) fn shifted(character: char) -> char {
    if let Some(digit) = character.to_digit(10) {
        return SHIFTED_DIGITS.chars().nth(digit as usize).unwrap_or(character);
    }
    let mark = MARKS.iter().find(|(plain, ..)| *plain == character);
    mark.map_or(character.to_ascii_uppercase(), |(_, shifted, ..)| *shifted)
}

/// A key of the left or right side of the keyboard, or of the number pad.
fn placed(code: &str, key: &str, key_code: i64) -> Key {
    let keypad = code.starts_with("Numpad");
    let location = match code {
        _ if keypad => 3,
        _ if code.ends_with("Right") => 2,
        _ => 1,
    };
    let text = match key {
        "Enter" => Some("\r".to_owned()),
        typed if typed.len() == 1 => Some(typed.to_owned()),
        _ => None,
    };
    let (key, code) = (key.to_owned(), code.to_owned());
    Key { key, code, key_code, text, location, keypad, ..Key::default() }
}

/// The key event of a character that no key of the table types.
fn bare(character: char) -> Key {
    Key { key: character.to_string(), text: Some(character.to_string()), ..Key::default() }
}

/// Finds the key that types a character, and the modifiers it needs.
pub(crate) fn key_for_char(character: char) -> Option<(Key, Modifiers)> {
    let shift = Modifiers { shift: true, ..Modifiers::NONE };
    let key = |code: String, key_code: i64, modifiers| {
        let text = Some(character.to_string());
        Some((Key { key: character.to_string(), code, key_code, text, ..Key::default() }, modifiers))
    };
    match character {
        '\n' | '\r' => named("Enter").map(|key| (key, Modifiers::NONE)),
        '\t' => named("Tab").map(|key| (key, Modifiers::NONE)),
        ' ' => key("Space".to_owned(), 32, Modifiers::NONE),
        'a'..='z' => key(
            format!("Key{}", character.to_ascii_uppercase()),
            i64::from(character.to_ascii_uppercase() as u32),
            Modifiers::NONE,
        ),
        'A'..='Z' => key(format!("Key{character}"), i64::from(character as u32), shift),
        '0'..='9' => key(format!("Digit{character}"), i64::from(character as u32), Modifiers::NONE),
        _ => {
            if let Some(digit) = SHIFTED_DIGITS.chars().position(|shifted| shifted == character) {
                return key(format!("Digit{digit}"), 48 + digit as i64, shift);
            }
            let (plain, _, code, key_code) =
                MARKS.iter().find(|(plain, shifted, ..)| *plain == character || *shifted == character)?;
            key((*code).to_owned(), *key_code, if *plain == character { Modifiers::NONE } else { shift })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{named, shifted};

    #[test]
    fn a_key_is_found_by_its_code() {
        for (code, key) in [("KeyA", "a"), ("keyz", "z"), ("Digit5", "5"), ("Semicolon", ";"), ("Space", " ")]
        {
            let found = named(code).unwrap_or_else(|| panic!("there is no key {code}"));
            assert_eq!((found.key.as_str(), found.code.eq_ignore_ascii_case(code)), (key, true));
        }
        assert!(["KeyÄ", "Key", "Digit", "Digit55", "KeyAB"].iter().all(|code| named(code).is_none()));
    }

    #[test]
    fn media_keys_type_nothing() {
        let key = named("mediaplaypause").expect("it is in the table");
        assert_eq!((key.key_code, key.text), (179, None));
    }

    #[test]
    fn shift_types_the_upper_character_of_a_key() {
        assert_eq!([shifted('a'), shifted('5'), shifted(';'), shifted(' ')], ['A', '%', ':', ' ']);
    }
}
