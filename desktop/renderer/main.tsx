import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { redeemStartToken } from './app/ott-login.ts';
import { watchSession } from './app/session.ts';
import { watchTheme } from './app/theme.ts';
import '@blueprintjs/core/lib/css/blueprint.css';
import './ui/base.css';

watchTheme();
watchSession();
void redeemStartToken();
createRoot(document.getElementById('root')!).render(<App />);
