/** Types that several files of the page script share. */

/** A refusal, as it is sent to the driver. */
interface Refusal {
  error: { code: string; message: string; evidence: Record<string, unknown> };
}

/** The answer of a function of the page script. */
type Answer<T = unknown> = { ok: T } | Refusal;

/** The root of a search for elements. */
type Root = Document | ShadowRoot | Element;

/** A locator without its `frame` chain, which the driver resolves. `node` is the index of a handle of the call. */
interface Locator {
  selector?: string;
  selectors?: string[];
  fallback_selectors?: string[];
  xpath?: string;
  role?: string;
  name?: string;
  name_contains?: string;
  text?: string;
  text_equals?: string;
  text_contains?: string;
  text_matches?: string;
  name_matches?: string;
  ignore_case?: boolean;
  states?: States;
  has?: Locator;
  not?: Locator;
  within?: Locator;
  nth?: number;
  retarget?: { closest?: string; selector?: string };
  strict?: boolean;
  node?: number;
}

/** States of an element by the accessibility rules. */
interface States {
  checked?: boolean;
  disabled?: boolean;
  expanded?: boolean;
  level?: number;
  pressed?: boolean;
  selected?: boolean;
}

/** What every function receives besides its arguments. */
interface Call {
  /** The nodes that the driver passed as handles, in order. */
  nodes: Node[];
  /**
   * The driver has not searched for closed shadow roots yet. A target that may be inside one is then refused at once,
   * without waiting, so that the driver can search and call again.
   */
  unsearched?: boolean;
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Point {
  x: number;
  y: number;
}

/** Why an element is hidden, disabled or unreachable, and the element that causes it. */
interface Reason {
  reason: string;
  by: string;
}

/** The four facts about an element (rendered, in the viewport, receives events, enabled) and what follows from them. */
interface Visibility {
  exists: boolean;
  rendered: boolean;
  in_viewport: boolean;
  receives_events: boolean;
  enabled: boolean;
  visible: boolean;
  clickable: boolean;
  fully_visible: boolean;
  visible_ratio: number;
  state: 'absent' | 'not_rendered' | 'requires_scroll' | 'covered' | 'visible';
  visible_rect: Rect | null;
  clipped_by: { target_label: string; rect: Rect; overflow_x: string; overflow_y: string }[];
  action_point: Point | null;
  occluded_by: { target_label: string; tag_name: string; rect: Rect } | null;
  reasons: Reason[];
}

/** The state of an element at one moment. */
interface Facts {
  bounding_box: Rect;
  received_by: 'target' | 'descendant' | 'label' | null;
  disabled: Reason | null;
  visibility: Visibility;
}

/** How to read one field of a record. */
interface ExtractField {
  selector?: string;
  xpath?: string;
  closest?: string;
  many?: boolean;
  fields?: Record<string, ExtractField>;
  attribute?: string;
  property?: 'innerText' | 'textContent' | 'value' | 'checked' | 'ariaLabel' | 'boundingClientRect' | 'className' | 'tagName' | 'href' | 'src' | 'action';
  trim?: boolean;
  required?: boolean;
  default?: unknown;
}

/** Records to read from the page. */
interface ExtractItem {
  id: string;
  /** The selector of the frame with the records, or several, from the outermost frame to the innermost. */
  frame?: string | string[];
  selector?: string;
  xpath?: string;
  many?: boolean;
  fields?: Record<string, ExtractField>;
}

/** A part of the page, optionally widened to an ancestor. */
interface Scope {
  selector?: string;
  selectors?: string[];
  text_equals?: string;
  text_contains?: string;
  root_selector?: string;
  root_strategy?: 'scope' | 'parent' | 'nearest_ancestor_containing_items';
  max_ancestor_depth?: number;
}
