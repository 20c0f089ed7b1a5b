/** The shapes that more than one file speaks of. */

/** A refusal, as it stands on the wire. */
interface Refusal {
  error: { code: string; message: string; evidence: Record<string, unknown> };
}

/** What a function of the script answers. */
type Answer<T = unknown> = { ok: T } | Refusal;

/** Where an element may be looked for. */
type Root = Document | ShadowRoot | Element;

/** A locator without its `frame` chain, which the driver walks; `node` is the index of a handle of the call. */
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
  within?: Locator;
  nth?: number;
  retarget?: { closest?: string; selector?: string };
  strict?: boolean;
  node?: number;
}

/** What a call hands to every function beside its arguments. */
interface Call {
  /** The nodes handed over as handles, in order. */
  nodes: Node[];
  /** The driver has not looked for closed shadow roots yet: what may hide in one is refused at once, not waited for. */
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

/** Why an element is not as one would like it, and the element that causes it. */
interface Reason {
  reason: string;
  by: string;
}

/** The four facts about an element, and what follows from them. */
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

/** What is known of an element at one moment. */
interface Facts {
  bounding_box: Rect;
  received_by: 'target' | 'descendant' | 'label' | null;
  disabled: Reason | null;
  visibility: Visibility;
}

/** How one field of a record is read. */
interface ExtractField {
  selector?: string;
  xpath?: string;
  closest?: string;
  many?: boolean;
  fields?: Record<string, ExtractField>;
  attribute?: string;
  property?: 'innerText' | 'textContent' | 'value' | 'checked' | 'ariaLabel' | 'boundingClientRect';
  trim?: boolean;
  required?: boolean;
  default?: unknown;
}

/** Records to read from the page. */
interface ExtractItem {
  id: string;
  /** The frame the records are in, by CSS, or several from the outermost to the innermost. */
  frame?: string | string[];
  selector?: string;
  xpath?: string;
  many?: boolean;
  fields?: Record<string, ExtractField>;
}

/** A part of the page, widened if asked. */
interface Scope {
  selector?: string;
  selectors?: string[];
  text_equals?: string;
  text_contains?: string;
  root_selector?: string;
  root_strategy?: 'scope' | 'parent' | 'nearest_ancestor_containing_items';
  max_ancestor_depth?: number;
}
