/**
 * Entry point of the Excel add-in's task pane and its sign-in window: a small separate page, built independently of the
 * portal.
 */
import { createRoot } from 'react-dom/client';
import { t } from '#renderer/language/translate.ts';
import '#renderer/ui/base.css';
import './pane.css';
import { speakAsExcel } from './language.ts';
import { findOffice } from './office.ts';
import { Pane } from './Pane.tsx';
import { Note } from './parts.tsx';
import { portalAddress, watchSession } from './session.ts';
import { followTheme } from './theme.ts';
import { FromPortal, ToPortal } from './WindowPages.tsx';

/** Timeout in milliseconds. */
const START_TIMEOUT_MS = 20_000;

function NotInExcel({ hasScript }: { hasScript: boolean }) {
  return (
    <main className="rs-pane">
      <div className="rs-pane-body">
        <Note tone="warning">
          {hasScript
            ? t('This page only works in Excel.')
            : t(
                'The script of Excel could not be loaded from {address}. Check that your network does not block this address.',
                {
                  address: 'https://appsforoffice.microsoft.com',
                },
              )}
        </Note>
        <p>
          <a href={`${portalAddress}excelAddIn`}>{t('How to add it to Excel')}</a>
        </p>
      </div>
    </main>
  );
}

/** Returns the Office host that the page runs in; null if there is none. */
async function hostOf(): Promise<string | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), START_TIMEOUT_MS));
  const ready = findOffice()?.onReady();
  return ready ? await Promise.race([ready.then(({ host }) => host), late]) : null;
}

async function begin(): Promise<void> {
  const root = createRoot(document.getElementById('root')!);
  const query = new URLSearchParams(window.location.search);
  const isWindow = query.has('dialog') || query.has('handed');
  const host = isWindow ? null : await hostOf();
  await speakAsExcel();
  followTheme();
  if (query.has('dialog')) return root.render(<ToPortal />);
  if (query.has('handed')) return root.render(<FromPortal />);
  if (host !== 'Excel') return root.render(<NotInExcel hasScript={findOffice() !== null} />);
  watchSession();
  root.render(<Pane />);
}

void begin();
