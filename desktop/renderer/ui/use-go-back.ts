import { useLocation } from 'react-router-dom';
import { useNavigateWhileHere } from './use-navigate-while-here.ts';

/** Returns to the previous page; a page that was opened directly returns to the activities. */
export function useGoBack(): () => void {
  const navigate = useNavigateWhileHere();
  const { key } = useLocation();
  return () => void (key === 'default' ? navigate('/activities/') : navigate(-1));
}
