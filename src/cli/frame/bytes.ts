const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** `512 bytes`, `64 kB`, `1.2 GB`: as exact as anybody reads it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}
