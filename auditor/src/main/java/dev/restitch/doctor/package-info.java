/**
 * {@code restitch doctor}: looks at everything that the audit stands on, says what each finding
 * means, and names the command that mends it. Facts are gathered by the {@code *Exam} classes and
 * judged by the {@code *Rules} classes, which are pure. Nothing is changed without a {@link
 * dev.restitch.doctor.Treatment}.
 */
package dev.restitch.doctor;
