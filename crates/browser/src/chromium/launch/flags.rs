//! The command line of the browser.

use std::path::Path;

use super::{Executable, LaunchOptions, Reach};

/// The flags of every browser: no network traffic of its own, no prompts, and the same behaviour in every run.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--enable-automation",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
    // A document restored from this cache would come back with its old worlds, timers and input state.
    "--disable-back-forward-cache",
    // A page in the background must run like one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
];

const HEADLESS: &[&str] = &[
    "--hide-scrollbars",
    "--mute-audio",
    "--font-render-hinting=none",
    // Without a mouse on the machine, media queries would report that the pointer cannot hover.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

/// Features that send their own requests, show bubbles, or replace a page without a navigation.
const DISABLED_FEATURES: &[&str] = &[
    "AcceptCHFrame",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "InterestFeedContentSuggestions",
    "LensOverlay",
    "MediaRouter",
    "OptimizationGuideModelDownloading",
    "OptimizationHints",
    "PaintHolding",
    "Prerender2",
    "Translate",
];

/// A document prefetched by speculation rules is shown without a request that we could intercept. A limit of zero
/// active prefetches turns them off.
const ENABLED_FEATURES: &[&str] = &[
    "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0",
    // Lets pages register tools for agents.
    "WebMCP",
];

/// WebRTC uses the proxy or nothing. Full Chromium reads the first flag, the headless shell the second.
const PROXIED: &[&str] = &[
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];
/// Turns off name lookups; a proxy does them.
const NO_NAMES: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

const DISABLE_FEATURES: &str = "--disable-features=";
const ENABLE_FEATURES: &str = "--enable-features=";

/// The smallest /dev/shm that Chromium works well with.
const ROOMY_SHARED_MEMORY: u64 = 512 << 20;

/// The whole command line, without the program.
pub(super) fn flags(
    options: &LaunchOptions,
    executable: &Executable,
    profile: &Path,
    sandbox: bool,
) -> Vec<String> {
    let mut flags: Vec<String> = ALWAYS.iter().map(|&flag| flag.to_owned()).collect();
    flags.push(features(DISABLE_FEATURES, DISABLED_FEATURES, &options.extra_args));
    flags.push(features(ENABLE_FEATURES, ENABLED_FEATURES, &options.extra_args));
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--window-size={},{}", options.viewport.width, options.viewport.height));
    if !options.headed {
        flags.push(if executable.headless_shell { "--headless" } else { "--headless=new" }.to_owned());
        flags.extend(HEADLESS.iter().map(|&flag| flag.to_owned()));
    }
    if !sandbox {
        flags.push("--no-sandbox".to_owned());
    }
    if let Some(proxy) = &options.proxy {
        flags.push(format!("--proxy-server={}", proxy.server));
        flags.extend(proxy.bypass.as_ref().map(|bypass| format!("--proxy-bypass-list={bypass}")));
    }
    if options.reach != Reach::Open {
        flags.extend(PROXIED.iter().map(|&flag| flag.to_owned()));
        let proxy = options.proxy.as_ref().filter(|_| options.reach == Reach::Proxied);
        let but: String =
            proxy.iter().flat_map(|proxy| proxy.hosts()).map(|host| format!(", EXCLUDE {host}")).collect();
        flags.push(format!("{NO_NAMES}{but}"));
    }
    flags.extend(options.locale.as_ref().map(|locale| format!("--lang={locale}")));
    if shared_memory_is_small() {
        flags.push("--disable-dev-shm-usage".to_owned());
    }
    let is_ours = |flag: &str| flag.starts_with(DISABLE_FEATURES) || flag.starts_with(ENABLE_FEATURES);
    flags.extend(options.extra_args.iter().filter(|flag| !is_ours(flag)).cloned());
    flags
}

/// Chromium uses only the last flag of a kind, so this merges the caller's features into ours.
fn features(flag: &str, ours: &[&str], extra: &[String]) -> String {
    let more = extra.iter().filter_map(|extra| extra.strip_prefix(flag));
    let all: Vec<&str> = ours.iter().copied().chain(more).collect();
    format!("{flag}{}", all.join(","))
}

fn shared_memory_is_small() -> bool {
    rustix::fs::statvfs("/dev/shm")
        .is_ok_and(|memory| memory.f_blocks.saturating_mul(memory.f_frsize) < ROOMY_SHARED_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(options: &LaunchOptions, headless_shell: bool, sandbox: bool) -> Vec<String> {
        let executable = Executable { path: "/chromium".into(), headless_shell };
        flags(options, &executable, Path::new("/profile"), sandbox)
    }

    #[test]
    fn each_kind_of_chromium_gets_its_own_headless_flag() {
        let options = LaunchOptions::default();
        assert!(line(&options, true, true).contains(&"--headless".to_owned()));
        assert!(line(&options, false, true).contains(&"--headless=new".to_owned()));
        let headed = LaunchOptions { headed: true, ..options };
        assert!(!line(&headed, false, true).iter().any(|flag| flag.starts_with("--headless")));
    }

    #[test]
    fn the_features_of_the_caller_are_added_to_ours() {
        let extra_args = ["--disable-features=Mine", "--enable-features=Yours", "--site-per-process"];
        let extra_args = extra_args.map(str::to_owned).to_vec();
        let flags = line(&LaunchOptions { extra_args, ..LaunchOptions::default() }, true, true);
        for (flag, ours, theirs) in [
            (DISABLE_FEATURES, "Translate", ",Mine"),
            (ENABLE_FEATURES, "PrefetchMultipleActiveSetSizeLimitForBase", ",Yours"),
        ] {
            let found: Vec<_> = flags.iter().filter(|found| found.starts_with(flag)).collect();
            assert_eq!(found.len(), 1);
            assert!(found[0].contains(ours) && found[0].ends_with(theirs), "{found:?}");
        }
        assert_eq!(flags.last().unwrap(), "--site-per-process");
    }

    #[test]
    fn the_proxy_of_the_launch_is_on_the_command_line() {
        let proxy = |bypass: Option<&str>| crate::Proxy {
            server: "http://proxy.test:8080".to_owned(),
            bypass: bypass.map(str::to_owned),
        };
        let of = |proxy| line(&LaunchOptions { proxy, ..LaunchOptions::default() }, true, true);
        let about_proxies = |flags: Vec<String>| {
            flags.into_iter().filter(|flag| flag.starts_with("--proxy")).collect::<Vec<_>>()
        };
        assert_eq!(about_proxies(of(None)), Vec::<String>::new());
        assert_eq!(about_proxies(of(Some(proxy(None)))), ["--proxy-server=http://proxy.test:8080"]);
        assert_eq!(
            about_proxies(of(Some(proxy(Some("*.local"))))),
            ["--proxy-server=http://proxy.test:8080", "--proxy-bypass-list=*.local"]
        );
    }

    #[test]
    fn a_restricted_browser_resolves_only_the_name_of_its_proxy() {
        let proxy = Some(crate::Proxy { server: "http://proxy.test:8080".to_owned(), bypass: None });
        let of = |reach, proxy| {
            let options = LaunchOptions { reach, proxy, ..LaunchOptions::default() };
            let rules = line(&options, true, true).into_iter();
            rules.filter(|flag| flag.starts_with("--host-resolver-rules")).collect::<Vec<_>>()
        };
        assert_eq!(of(Reach::Open, proxy.clone()), Vec::<String>::new());
        assert_eq!(of(Reach::Proxied, None), [NO_NAMES]);
        assert_eq!(of(Reach::Proxied, proxy.clone()), [format!("{NO_NAMES}, EXCLUDE proxy.test")]);
        assert_eq!(of(Reach::Nowhere, proxy), [NO_NAMES]);
    }

    #[test]
    fn the_sandbox_is_turned_off_only_on_request() {
        let options = LaunchOptions::default();
        assert!(!line(&options, true, true).contains(&"--no-sandbox".to_owned()));
        assert!(line(&options, true, false).contains(&"--no-sandbox".to_owned()));
    }
}
