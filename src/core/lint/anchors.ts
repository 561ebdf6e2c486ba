/**
 * Anchors make a text checkable: somebody else could go and look. A path, a name in code, a quoted text, a command, a number with
 * what it counts, an address, a status code, a flag.
 */
const anchorPatterns: readonly RegExp[] = [
  /`[^`]+`|"[^"]{2,}"|“[^”]{2,}”/, // quoted
  /(?:^|[\s(])(?:\.{0,2}\/)?[\w@.-]+\/[\w@./-]*/, // a path
  /\b[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|c|h|hpp|swift|scala|sh|sql|md|json|ya?ml|toml|html|css|scss|vue|svelte|proto|tf|xml|csv|txt|lock)\b/i, // a file
  /\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b\w+_\w+\b|\b\w+\(\)/, // a name in code
  /(?:^|\s)--?[a-z][\w-]+/, // a flag
  /\b(?:npm|pnpm|yarn|npx|node|cargo|go|pytest|python3?|make|git|docker|kubectl|psql|curl|mvn|gradle|dotnet|terraform)\s+[a-z-]+/, // a command
  /\bhttps?:\/\/\S+|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+\//, // an address
  /\b[1-5]\d{2}\b/, // a status code
  /\b\d+(?:[.,]\d+)?\s*(?:%|ms|s|sec|seconds?|minutes?|hours?|days?|MB|GB|kB|KB|bytes?|rows?|items?|requests?|users?|tests?|files?|lines?|times|x|×)(?![\w])/i, // a measure
  /#\d+\b|\b[A-Z]{2,}-\d+\b/, // an issue
  /\bRFC ?\d+|\bISO ?\d+|\bv?\d+\.\d+(?:\.\d+)?\b/, // a standard or version
];

export function anchorsIn(text: string): number {
  return anchorPatterns.filter((pattern) => pattern.test(text)).length;
}

export function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
