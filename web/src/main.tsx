import { render } from 'preact';
import './style/base.css';
import './style/shell.css';
import './style/board.css';
import { listen } from './api/live.ts';
import { startClock } from './parts/clock.ts';
import { followLinks } from './shell/here.ts';
import { listenForKeys } from './shell/keys.ts';
import { loadMe } from './shell/me.ts';
import { listenForPalette } from './shell/palette.tsx';
import { Shell } from './shell/shell.tsx';
import { followTheme } from './shell/theme.ts';
import { followWaiting } from './shell/waiting.ts';

const root = document.querySelector('#app');
if (root !== null) {
  followTheme();
  listen();
  followLinks();
  listenForKeys();
  listenForPalette();
  startClock();
  followWaiting();
  void loadMe();
  root.replaceChildren();
  render(<Shell />, root);
}
