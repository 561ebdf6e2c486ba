/**
 * What the settings of a program give the model in a folder, beyond its own tools: names alone. Settings hold keys and tokens
 * in variables, headers and arguments, and no value of them is ever taken from there.
 */
export interface Provisions {
  /** MCP servers that are set up and not switched off. */
  readonly servers: readonly string[];
  /** Tools of its own that are taken away. */
  readonly denied: readonly string[];
  /** What it lets its model do without asking, in its own words; null where the settings do not say. */
  readonly permissions: string | null;
  /** Files of settings that are there and cannot be understood: they may hold more. */
  readonly unread: readonly string[];
}

/** Programs write the name of a server into the names of its tools, with an underscore for whatever a tool's name may not hold. */
export function sameServer(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
}
