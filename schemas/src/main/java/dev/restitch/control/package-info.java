/** What operators, and the brake, set through the topic of controls, and what follows from it. */
package dev.restitch.control;
