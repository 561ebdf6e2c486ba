/** Light, dark, or as the system has it. */
import { effect, signal } from '@preact/signals';
import { keep, kept } from '../parts/kept.ts';

const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const known = kept('choice', 'theme');
export const theme = signal<Theme>(themes.find((one) => one === known) ?? 'auto');

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
}

export function nextTheme(): void {
  const at = themes.indexOf(theme.value);
  theme.value = themes[(at + 1) % themes.length] ?? 'auto';
  keep({ kind: 'choice', name: 'theme', most: 20 }, theme.value);
}
