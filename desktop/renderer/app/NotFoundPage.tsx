import { Link } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { NotFound } from './NotFound.tsx';

export function NotFoundPage() {
  return <NotFound home={<Link to="/">{t('Home')}</Link>} />;
}
