//! Options that decide what pages are told of their visitor, what servers are shown, and where downloads go.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use actions_engine::browser::{
    Access, ContextOptions, DownloadPolicy, Geolocation, Permission, SecretText, origin_of,
};
use actions_engine::{CallError, Permits};
use actions_protocol::ErrorCode;
use rustix::fs::OFlags;

/// The largest download that the browser keeps.
const LARGEST_DOWNLOAD: u64 = 256 << 20;

/// The longest secret that is read from a file.
const LONGEST_SECRET: u64 = 64 << 10;

/// The exactness of a place that does not say, in metres.
const ACCURACY: f64 = 10.0;

/// Options that decide what pages are told of their visitor, what servers are shown, and where downloads go.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct VisitorOptions {
    /// Save downloads in this folder; without it the browser refuses them
    #[arg(long, value_name = "DIR")]
    download_to: Option<PathBuf>,
    /// Log in at this origin, and no other, when it asks for HTTP authentication; the password is read from a file or an
    /// environment variable
    #[arg(long, value_name = "ORIGIN=USER:@FILE|ORIGIN=USER:env:NAME", value_parser = http_login)]
    http_auth: Vec<LoginOption>,
    /// Add a header to requests for the site; its value may be read from a file or an environment variable
    #[arg(long, value_name = "NAME: VALUE|@FILE|env:NAME", value_parser = header)]
    header: Vec<HeaderOption>,
    /// Language of pages, such as de-DE
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    locale: Option<String>,
    /// Time zone of pages, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", value_parser = time_zone)]
    timezone: Option<String>,
    /// Place of pages in degrees north and east, and its accuracy in metres; also lets pages ask for it
    #[arg(long, value_name = "LAT,LON[,METRES]", value_parser = place, allow_hyphen_values = true)]
    geolocation: Option<Geolocation>,
    /// Let pages do this without asking a person, such as notifications or camera
    #[arg(long, value_name = "PERMISSION", value_parser = permission)]
    permission: Vec<Permission>,
}

/// A login of the command line. Its password is read later.
#[derive(Clone, Debug)]
struct LoginOption {
    origin: String,
    user: String,
    password: Source,
}

/// A header of the command line.
#[derive(Clone, Debug)]
struct HeaderOption {
    name: String,
    value: Source,
}

/// Where a value is read from.
#[derive(Clone, Debug)]
enum Source {
    /// It stands on the command line, for everybody to see.
    Plain(String),
    /// In a file.
    File(PathBuf),
    /// In an environment variable.
    Variable(String),
}

/// What the options say, with everything read that they name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    access: Access,
    options: VisitorOptions,
}

impl VisitorOptions {
    /// Reads the files and environment variables that the options name.
    pub(crate) fn loaded(&self) -> Result<Visitor, CallError> {
        if let Some(folder) = &self.download_to
            && !folder.is_dir()
        {
            let message = format!("{} is no folder that downloads can be saved in", folder.display());
            return Err(CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", "nothing was run; make the folder first"));
        }
        let mut access = Access::default();
        for login in &self.http_auth {
            access = access.login(&login.origin, login.user.clone(), login.password.read("--http-auth")?);
        }
        for header in &self.header {
            access = access.header(header.name.clone(), header.value.read("--header")?);
        }
        Ok(Visitor { access, options: self.clone() })
    }

    /// What primitives may do with these options.
    pub(crate) fn permits(&self) -> Permits {
        let folder =
            self.download_to.as_ref().map(|folder| std::path::absolute(folder).unwrap_or(folder.clone()));
        folder.into_iter().fold(Permits::default(), Permits::download_to)
    }

    /// The options that were given. They decide how a session starts.
    pub(crate) fn given(&self) -> impl Iterator<Item = (bool, &'static str)> {
        [
            (self.download_to.is_some(), "--download-to"),
            (!self.http_auth.is_empty(), "--http-auth"),
            (!self.header.is_empty(), "--header"),
            (self.locale.is_some(), "--locale"),
            (self.timezone.is_some(), "--timezone"),
            (self.geolocation.is_some(), "--geolocation"),
            (!self.permission.is_empty(), "--permission"),
        ]
        .into_iter()
    }
}

impl Visitor {
    /// Adds what the options say to those of a context. Headers go to the origin of `start` too, for contexts that are
    /// confined to nothing.
    pub(crate) fn apply(self, mut context: ContextOptions, start: Option<&str>) -> ContextOptions {
        let Self { access, options } = self;
        context.access = start.into_iter().fold(access, |access, start| access.origin(start));
        if options.download_to.is_some() {
            context.downloads = DownloadPolicy::Keep { max_bytes: LARGEST_DOWNLOAD };
        }
        context.locale.language = options.locale.or(context.locale.language);
        context.locale.timezone = options.timezone.or(context.locale.timezone);
        context.permissions = options.permission;
        if options.geolocation.is_some() && !context.permissions.contains(&Permission::Geolocation) {
            context.permissions.push(Permission::Geolocation);
        }
        context.geolocation = options.geolocation;
        context
    }

    /// The values that must not be seen.
    pub(crate) fn secrets(&self) -> Vec<String> {
        self.access.secrets().map(str::to_owned).collect()
    }
}

impl Source {
    /// Parses `@FILE`, `env:NAME` or the value itself.
    fn parse(text: &str) -> Result<Self, String> {
        match (text.strip_prefix('@'), text.strip_prefix("env:")) {
            (Some(""), _) => Err("`@` names no file".to_owned()),
            (Some(file), _) => Ok(Self::File(file.into())),
            (_, Some("")) => Err("`env:` names no variable".to_owned()),
            (_, Some(name)) => Ok(Self::Variable(name.to_owned())),
            (None, None) => Ok(Self::Plain(text.to_owned())),
        }
    }

    /// Reads the value. An error says where it should be, and nothing of what is there.
    fn read(&self, option: &str) -> Result<SecretText, CallError> {
        let refused = |why: String| {
            CallError::new(ErrorCode::WrongUsage, format!("`{option}`: {why}")).with_evidence(
                "hint",
                "nothing was run; pass @FILE with a file of one line, or env:NAME with a variable that is set",
            )
        };
        let text = match self {
            Self::Plain(text) => text.clone(),
            Self::File(file) => {
                line_of(file).map_err(|error| refused(format!("{}: {error}", file.display())))?
            }
            Self::Variable(name) => std::env::var(name)
                .map_err(|_| refused(format!("the environment variable {name} is not set, or is no text")))?,
        };
        if text.contains(|c: char| c.is_control() && c != '\t') {
            return Err(refused(
                "the value has more than one line, or characters that are not shown".to_owned(),
            ));
        }
        Ok(SecretText::new(text))
    }
}

/// The only line of a file. A pipe does not make this wait.
fn line_of(file: &Path) -> std::io::Result<String> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(file)?;
    if !opened.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut text = String::new();
    opened.take(LONGEST_SECRET + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST_SECRET {
        return Err(std::io::Error::other(format!("it has more than {LONGEST_SECRET} bytes")));
    }
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

/// Parses `ORIGIN=USER:@FILE` or `ORIGIN=USER:env:NAME`. What it says of a mistake repeats no password.
fn http_login(text: &str) -> Result<LoginOption, String> {
    let form = "write ORIGIN=USER:@FILE or ORIGIN=USER:env:NAME";
    let (origin, login) = text.split_once('=').ok_or_else(|| format!("it names no origin; {form}"))?;
    let origin = origin_of(origin).ok_or_else(|| format!("`{origin}` is no origin; {form}"))?;
    let (user, password) = login.split_once(':').ok_or_else(|| format!("it names no password; {form}"))?;
    match Source::parse(password)? {
        Source::Plain(_) => {
            Err(format!("a password on the command line is seen by every user of the machine; {form}"))
        }
        password => Ok(LoginOption { origin, user: user.to_owned(), password }),
    }
}

/// Headers that the browser makes itself.
const RESERVED: &[&str] = &["host", "content-length", "transfer-encoding", "connection", "cookie"];

/// Parses `NAME: VALUE`, where the value may be `@FILE` or `env:NAME`.
fn header(text: &str) -> Result<HeaderOption, String> {
    let (name, value) = text.split_once(':').ok_or("it has no `:`; write NAME: VALUE")?;
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(is_token) {
        return Err(format!("`{}` is no name of a header", name.escape_debug()));
    }
    if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
        return Err(format!("the browser makes the header `{name}` itself"));
    }
    Ok(HeaderOption { name: name.to_owned(), value: Source::parse(value.trim())? })
}

fn language(text: &str) -> Result<String, String> {
    let is_tag = text
        .split('-')
        .all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()));
    let begins = text.split('-').next().is_some_and(|first| first.chars().all(|c| c.is_ascii_alphabetic()));
    (is_tag && begins)
        .then(|| text.to_owned())
        .ok_or_else(|| format!("`{text}` is no language; write en-GB or de"))
}

fn time_zone(text: &str) -> Result<String, String> {
    let is_zone = !text.is_empty()
        && text.len() <= 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "/_+-".contains(c));
    is_zone
        .then(|| text.to_owned())
        .ok_or_else(|| format!("`{text}` is no time zone; write Europe/Berlin or UTC"))
}

fn place(text: &str) -> Result<Geolocation, String> {
    let wrong = || format!("`{text}` is no place; write LAT,LON such as 52.52,13.40");
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
    let (latitude, longitude, accuracy) = match numbers.map_err(|_| wrong())?[..] {
        [latitude, longitude] => (latitude, longitude, ACCURACY),
        [latitude, longitude, accuracy] => (latitude, longitude, accuracy),
        _ => return Err(wrong()),
    };
    let is_place = (-90.0..=90.0).contains(&latitude)
        && (-180.0..=180.0).contains(&longitude)
        && (0.0..=1e7).contains(&accuracy);
    is_place.then_some(Geolocation { latitude, longitude, accuracy }).ok_or_else(wrong)
}

fn permission(text: &str) -> Result<Permission, String> {
    let found = Permission::ALL.iter().copied().find(|permission| permission.as_str() == text);
    found.ok_or_else(|| {
        let known: Vec<&str> = Permission::ALL.iter().map(|permission| permission.as_str()).collect();
        format!("`{text}` is no permission; known are {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_on_the_command_line_is_refused_and_not_repeated() {
        let error = http_login("https://a.example=ada:sesame").unwrap_err();
        assert!(error.contains("@FILE") && !error.contains("sesame"), "{error}");
        let login = http_login("https://a.example/x=ada:env:PASSWORD").unwrap();
        assert_eq!((login.origin.as_str(), login.user.as_str()), ("https://a.example", "ada"));
        for wrong in ["ada:@f", "https://a.example=ada", "x=ada:@f", "https://a.example=ada:@"] {
            http_login(wrong).unwrap_err();
        }
    }

    #[test]
    fn a_header_is_a_name_and_a_value_from_anywhere() {
        assert!(matches!(header("X-Tenant: blue").unwrap().value, Source::Plain(value) if value == "blue"));
        assert!(matches!(header("X-Key: @key.txt").unwrap().value, Source::File(_)));
        assert!(matches!(header("Authorization:env:TOKEN").unwrap().value, Source::Variable(_)));
        for wrong in ["X-Tenant", ": x", "a b: c", "Host: x", "cookie: a=b"] {
            header(wrong).unwrap_err();
        }
    }

    #[test]
    fn places_languages_zones_and_permissions_are_checked() {
        let berlin = place("52.52,13.40").unwrap();
        assert_eq!((berlin.latitude, berlin.longitude, berlin.accuracy), (52.52, 13.40, ACCURACY));
        for wrong in ["52.52", "91,0", "0,181", "a,b", "0,0,-1", "1,2,3,4"] {
            place(wrong).unwrap_err();
        }
        assert!(language("de-DE").is_ok() && language("zh-Hant-TW").is_ok() && language("de_DE").is_err());
        assert!(time_zone("America/Argentina/Salta").is_ok() && time_zone("Europe Berlin").is_err());
        assert!(permission("camera").is_ok() && permission("everything").unwrap_err().contains("camera"));
    }

    #[test]
    fn a_value_is_one_line_of_a_file_and_its_error_repeats_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "sesame\n").unwrap();
        assert_eq!(Source::File(file.clone()).read("--header").unwrap().reveal(), "sesame");
        std::fs::write(&file, "sesame\nX-Other: open").unwrap();
        let error = Source::File(file).read("--header").unwrap_err();
        assert!(error.code == ErrorCode::WrongUsage && !error.message.contains("sesame"), "{error}");
    }
}
